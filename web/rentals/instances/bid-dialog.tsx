import { useState } from 'preact/hooks';
import type { Instance } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { formatAmount, formatUsd } from '../../core/figures.ts';
import { useAction } from '../../core/use-action.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';

interface Props {
  app: App;
  instance: Instance;
  done: () => void;
  close: () => void;
}

/** Changes what is bid for an instance, with what that means said before. */
export function BidDialog({ app, instance, done, close }: Props) {
  const [bid, setBid] = useState(instance.bidUsdPerHour ?? '');
  const action = useAction(app);
  const { minBidUsdPerHour: floor } = instance;
  const wanted = Number(bid.trim().replace(',', '.'));
  const isLow = floor !== null && wanted > 0 && wanted < floor;
  return (
    <Confirm
      title={`Bid for ${instance.label ?? instance.instanceId}`}
      action="Bid"
      busy={action.busy}
      close={close}
      confirm={() =>
        void action.run(async () => {
          await app.api.send('PATCH', `/api/instances/${instance.instanceId}`, { bidUsdPerHour: wanted });
          done();
          return `${formatUsd(wanted)} an hour is bid from now on.`;
        })
      }
    >
      <p>
        {instance.bidUsdPerHour === null
          ? 'What is bid now is unknown'
          : `${formatAmount(instance.bidUsdPerHour, 4)} an hour is bid now`}
        {floor === null ? '' : `; the market takes ${formatUsd(floor)} or more`}. Who bids more runs first:
        outbid, it stops and keeps its disk.
      </p>
      <label class="field narrow">
        <span>Bid, $ an hour</span>
        <input
          name="bidUsdPerHour"
          inputMode="decimal"
          required
          value={bid}
          onInput={({ currentTarget }) => setBid(currentTarget.value)}
        />
      </label>
      {isLow && <p class="remark">That is below the lowest bid that the market takes: it would not run.</p>}
      <Failure problem={action.problem} />
    </Confirm>
  );
}
