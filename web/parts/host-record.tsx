import { getMachineRecord } from '../../client/operations.js';
import type { MachineRecord, PricingType } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { pathTo } from '../core/path-to.ts';
import { listingEndWords, rentalsSentence, staysSentence } from '../core/record-words.ts';
import { useAnswer } from '../core/use-answer.ts';
import { Moment } from './moment.tsx';
import { Awaited } from './notice.tsx';

interface Props {
  app: App;
  machineId: number;
  type: PricingType;
  /** @default the configured one */
  market?: string;
}

/** What a machine and its host have shown so far: how long their listings last, how your own rentals there went. */
export function HostRecord({ app, machineId, type, market }: Props) {
  const answer = useAnswer(app, pathTo(getMachineRecord, { machineId, type, market }), app.landed.value);
  return (
    <section class="card" aria-label="Record of the host" id="record">
      <Awaited answer={answer} what="the record of the host">
        {(record) => <Shown record={record} type={type} />}
      </Awaited>
    </section>
  );
}

function Shown({
  record: { machineId, hostId, host, machine, since, neededStays },
  type,
}: Pick<Props, 'type'> & { record: MachineRecord }) {
  const places = [
    { name: 'host' as const, head: hostId === null ? 'Host unknown' : `Host ${hostId}`, place: host },
    { name: 'machine' as const, head: `Machine ${machineId}`, place: machine },
  ];
  return (
    <>
      <h2>
        Record of the host
        <small>
          {since === null ? (
            'no complete book yet'
          ) : (
            <>
              seen from the first book, of <Moment t={since} relative={false} />, to the newest
            </>
          )}
        </small>
      </h2>
      <dl class="record">
        {places.map(({ name, head, place }) => (
          <div key={name} data-record={name}>
            <dt>{head}</dt>
            <dd>
              {place === null
                ? 'The market does not name it.'
                : `${staysSentence(name, place, neededStays)} ${rentalsSentence(name, place)}`}
            </dd>
          </div>
        ))}
      </dl>
      <p class="caption">{listingEndWords(type)}</p>
    </>
  );
}
