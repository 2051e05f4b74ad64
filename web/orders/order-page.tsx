import type { StandingOrder } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { ordering } from '../core/permission.ts';
import { useAction } from '../core/use-action.ts';
import type { Live } from '../core/use-live.ts';
import { Allowed } from '../parts/allowed.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Failure } from '../parts/failure.tsx';
import { LiveState } from '../parts/live-state.tsx';
import { Moment } from '../parts/moment.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { channelLabel } from '../watches/channel-names.ts';
import { AttemptTable } from './attempt-table.tsx';
import { DryRunResult } from './dry-run-result.tsx';
import { OrderButtons } from './order-buttons.tsx';
import { type OrderNames, watchName } from './order-names.ts';
import { budgetWords, Conditions, OrderState } from './order-table.tsx';
import { choicesOf, orderStateWords } from './order-words.ts';

interface Props {
  app: App;
  order: StandingOrder;
  names: OrderNames;
  live: Live;
  done: () => void;
}

/** One order: its settings, its dry run and its attempts. */
export function OrderPage({ app, order, names, live, done }: Props) {
  return (
    <>
      <ViewHead title={order.name} note="standing order">
        <LiveState state={live.state} />
      </ViewHead>
      <section class="card" aria-label="Order" id="order">
        <p class={`outcome wraps ${orderStateWords(order).grade}`} data-state={order.state}>
          <OrderState order={order} />
        </p>
        <OrderFacts order={order} names={names} />
        <ol class="sentences" aria-label="Choices, in order of preference">
          {choicesOf(order).map((choice) => (
            <li key={JSON.stringify(choice)}>
              <a href={`/watches/${choice.watchId}`}>{watchName(names, choice.watchId)}</a>:{' '}
              <Conditions choice={choice} />
            </li>
          ))}
        </ol>
        <OrderButtons app={app} order={order} done={done} />
      </section>
      <StoredDryRun app={app} order={order} done={done} />
      <section class="card" aria-label="Attempts" id="attempts">
        <h2>
          Attempts<small>newest first</small>
        </h2>
        <AttemptTable attempts={order.attempts} choices={order.choices.length} />
      </section>
    </>
  );
}

function OrderFacts({ order, names }: Pick<Props, 'order' | 'names'>) {
  const { machines, count, endsAt, request, channelIds } = order;
  const channels = names.channels.filter(({ id }) => channelIds.includes(id));
  const ends = request.endAction === 'destroy' ? 'destroyed' : 'stopped';
  const facts: Fact[] = [
    ['machines', 'Machines rented', `${machines} of ${count}`],
    ['budget', 'Committed', budgetWords(order)],
    ['endsAt', 'Until', <Moment key="until" t={endsAt} />],
    ['image', 'Image', String(request.image ?? `template ${String(request.templateHashId)}`)],
    ['disk', 'Disk', `${request.diskGb} GB`],
    [
      'maxHours',
      'Time limit',
      typeof request.maxHours === 'number' ? `${request.maxHours} h, then ${ends}` : 'none',
    ],
    [
      'channels',
      'Notifies',
      channels.length === 0
        ? 'channels of the first watch'
        : channels.map((one) => channelLabel(one)).join(', '),
    ],
  ];
  return <Facts facts={facts} />;
}

function StoredDryRun({ app, order, done }: Pick<Props, 'app' | 'order' | 'done'>) {
  const action = useAction(app);
  const { id, dryRun, choices } = order;
  async function run(): Promise<string> {
    await app.api.dryRunOrder({ id, body: {} });
    done();
    return 'Dry run done.';
  }
  return (
    <section class="card" aria-label="Dry run" id="dry-run">
      <h2>
        Dry run<small>what it would have done in the past</small>
      </h2>
      {dryRun === null ? (
        <p class="caption">None with its present settings. It can be armed after one.</p>
      ) : (
        <DryRunResult dryRun={dryRun} choices={choices.length} />
      )}
      <Allowed app={app} permission={ordering}>
        <p class="row">
          <button type="button" disabled={action.busy} onClick={() => void action.run(run)}>
            {action.busy ? 'Running…' : dryRun === null ? 'Dry run' : 'Run it again'}
          </button>
          <a class="button" href={`/orders/${id}/edit`}>
            Try other prices
          </a>
        </p>
      </Allowed>
      <Failure problem={action.problem} />
    </section>
  );
}
