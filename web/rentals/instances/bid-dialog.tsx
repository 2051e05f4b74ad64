import { useState } from 'preact/hooks';
import type { Instance } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { formatAmount, formatUsd } from '../../core/figures.ts';
import { useAction } from '../../core/use-action.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { nameOf } from './instance-rows.ts';

interface Props {
  app: App;
  instance: Instance;
  done: () => void;
  close: () => void;
}

/** Changes an instance's bid after explaining the effect. */
export function BidDialog({ app, instance, done, close }: Props) {
  const [bid, setBid] = useState(instance.bidUsdPerHour ?? '');
  const action = useAction(app);
  const { minBidUsdPerHour: floor } = instance;
  const wanted = Number(bid.trim().replace(',', '.'));
  const isLow = floor !== null && wanted > 0 && wanted < floor;
  return (
    <Confirm
      title={`Change the bid for ${nameOf(instance)}`}
      action="Change bid"
      busy={action.busy}
      close={close}
      confirm={() =>
        void action.run(async () => {
          await app.api.updateInstance({ id: Number(instance.instanceId), body: { bidUsdPerHour: wanted } });
          done();
          return `Bid changed to ${formatUsd(wanted)}/hour.`;
        })
      }
    >
      <p>
        {instance.bidUsdPerHour === null
          ? 'The current bid is unknown'
          : `The current bid is ${formatAmount(instance.bidUsdPerHour, 4)}/hour`}
        {floor === null ? '' : `; the minimum bid is ${formatUsd(floor)}/hour`}. If somebody bids more, the
        instance stops and keeps its disk.
      </p>
      <label class="field narrow">
        <span>Bid, $/hour</span>
        <input
          name="bidUsdPerHour"
          inputMode="decimal"
          required
          value={bid}
          onInput={({ currentTarget }) => setBid(currentTarget.value)}
        />
      </label>
      {isLow && <p class="remark">Below the minimum bid: the instance would not run.</p>}
      <Failure problem={action.problem} />
    </Confirm>
  );
}
