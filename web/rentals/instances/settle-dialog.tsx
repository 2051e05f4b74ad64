import { useState } from 'preact/hooks';
import type { Instance } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { formatAmount } from '../../core/figures.ts';
import { useAction } from '../../core/use-action.ts';
import { Select } from '../../parts/choice.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';

interface Props {
  app: App;
  /** The rental that is not settled. */
  rental: Instance;
  /** Everything that the account has. */
  instances: readonly Instance[];
  done: () => void;
  close: () => void;
}

const nothing = 'nothing';

/** Takes a person's word for what became of a rental whose answer was unclear. */
export function SettleDialog({ app, rental, instances, done, close }: Props) {
  const [became, setBecame] = useState(nothing);
  const action = useAction(app);
  const candidates = instances.filter(({ instanceId, rentalId }) => instanceId !== null && rentalId === null);
  return (
    <Confirm
      title={`What became of ${rental.label ?? rental.rentalId}?`}
      action="That is so"
      busy={action.busy}
      close={close}
      confirm={() =>
        void action.run(async () => {
          const instanceId = became === nothing ? null : Number(became);
          await app.api.send('POST', `/api/rentals/${rental.rentalId}/settle`, { instanceId });
          done();
          return instanceId === null
            ? 'Noted: nothing was rented.'
            : `Noted: it became instance ${instanceId}.`;
        })
      }
    >
      <p>
        The market’s answer was unclear, and its list did not tell. Until you say so it counts at its cap, and
        nothing is rented for it again. Look at the market’s own page, then choose.
      </p>
      {rental.reason !== null && <p class="soft">{rental.reason}</p>}
      <Select
        label="It became"
        name="became"
        options={[
          { value: nothing, label: 'nothing: no instance was rented' },
          ...candidates.map(({ instanceId, gpuName, numGpus, machineId, usdPerHour }) => ({
            value: String(instanceId),
            label: `instance ${instanceId}: ${gpuName ?? 'GPU unknown'} × ${numGpus ?? '?'}, machine ${machineId ?? 'unknown'}, ${formatAmount(usdPerHour, 4)} an hour`,
          })),
        ]}
        value={became}
        choose={setBecame}
      />
      <Failure problem={action.problem} />
    </Confirm>
  );
}
