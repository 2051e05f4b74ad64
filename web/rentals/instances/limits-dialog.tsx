import { useState } from 'preact/hooks';
import type { Instance } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { useAction } from '../../core/use-action.ts';
import { Choice } from '../../parts/choice.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';

interface Props {
  app: App;
  instance: Instance;
  done: () => void;
  close: () => void;
}

/** Sets when an instance ends automatically, its label and its cost center. */
export function HoursDialog({ app, instance, done, close }: Props) {
  const [hours, setHours] = useState(instance.maxHours === null ? '' : String(instance.maxHours));
  const [endAction, setEndAction] = useState<'stop' | 'destroy'>(instance.endAction ?? 'stop');
  const [costCenter, setCostCenter] = useState(instance.costCenter ?? '');
  const action = useAction(app);
  return (
    <Confirm
      title={`Time limit of ${instance.label ?? instance.instanceId}`}
      action="Save"
      busy={action.busy}
      close={close}
      confirm={() =>
        void action.run(async () => {
          const maxHours = hours.trim() === '' ? null : Number(hours);
          await app.api.send('PATCH', `/api/instances/${instance.instanceId}`, {
            maxHours,
            ...(maxHours === null ? {} : { endAction }),
            costCenter: costCenter.trim() === '' ? null : costCenter.trim(),
          });
          done();
          return 'Saved.';
        })
      }
    >
      <div class="fields">
        <label class="field">
          <span>Hours since it was rented; empty: no limit</span>
          <input
            type="number"
            name="maxHours"
            min={0}
            step="any"
            value={hours}
            onInput={({ currentTarget }) => setHours(currentTarget.value)}
          />
        </label>
        <Choice
          legend="At the limit"
          name="endAction"
          options={[
            { value: 'stop', label: 'Stop' },
            { value: 'destroy', label: 'Destroy' },
          ]}
          chosen={endAction}
          choose={setEndAction}
        />
        <label class="field">
          <span>Cost center</span>
          <input
            name="costCenter"
            value={costCenter}
            onInput={({ currentTarget }) => setCostCenter(currentTarget.value)}
          />
        </label>
      </div>
      <Failure problem={action.problem} />
    </Confirm>
  );
}
