import { useState } from 'preact/hooks';
import type { Instance } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { formatAmount } from '../../core/figures.ts';
import { useAction } from '../../core/use-action.ts';
import { Select } from '../../parts/choice.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { nameOf } from './instance-rows.ts';

interface Props {
  app: App;
  /** The rental to settle. */
  rental: Instance;
  /** Everything in the account. */
  instances: readonly Instance[];
  done: () => void;
  close: () => void;
}

const nothing = 'nothing';

/** Lets a person settle a rental whose response was unclear. */
export function SettleDialog({ app, rental, instances, done, close }: Props) {
  const [became, setBecame] = useState(nothing);
  const action = useAction(app);
  const candidates = instances.filter(({ instanceId, rentalId }) => instanceId !== null && rentalId === null);
  const whereToCheck =
    app.status.state.value.data?.mode === 'simulated'
      ? 'The simulated market has no page of its own: choose the instance that is listed below, or none.'
      : 'Check on the market’s own page, then choose.';
  return (
    <Confirm
      title={`What became of ${nameOf(rental)}?`}
      action="Resolve"
      busy={action.busy}
      close={close}
      confirm={() =>
        void action.run(async () => {
          const instanceId = became === nothing ? null : Number(became);
          await app.api.settleRental({ id: String(rental.rentalId), body: { instanceId } });
          done();
          return instanceId === null
            ? 'Resolved: nothing was rented.'
            : `Resolved: it is instance ${instanceId}.`;
        })
      }
    >
      <p>
        The market’s answer was unclear, and its list of instances did not settle it. Until you choose, the
        rental counts at its price cap and is never sent again. {whereToCheck}
      </p>
      {rental.reason !== null && <p class="soft">{rental.reason}</p>}
      <Select
        label="Outcome"
        name="became"
        options={[
          { value: nothing, label: 'No instance was rented' },
          ...candidates.map(({ instanceId, gpuName, numGpus, machineId, usdPerHour }) => ({
            value: String(instanceId),
            label: `Instance ${instanceId}: ${gpuName ?? 'GPU unknown'} × ${numGpus ?? '?'}, machine ${machineId ?? 'unknown'}, ${formatAmount(usdPerHour, 4)}/hour`,
          })),
        ]}
        value={became}
        choose={setBecame}
      />
      <Failure problem={action.problem} />
    </Confirm>
  );
}
