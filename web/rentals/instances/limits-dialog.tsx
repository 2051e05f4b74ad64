import { useState } from 'preact/hooks';
import type { Instance } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { useAction } from '../../core/use-action.ts';
import { Choice } from '../../parts/choice.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { costCenterWords } from '../rent/rent-request.ts';
import { type FilledLimits, filledLimits, limitsBody } from './filled-limits.ts';
import { nameOf } from './instance-rows.ts';

interface Props {
  app: App;
  instance: Instance;
  done: () => void;
  close: () => void;
}

/** Sets what ends an instance automatically, which cheaper machines are looked for, and its cost center. */
export function LimitsDialog({ app, instance, done, close }: Props) {
  const [filled, setFilled] = useState(() => filledLimits(instance));
  const [costCenter, setCostCenter] = useState(instance.costCenter ?? '');
  const action = useAction(app);
  const fill = (change: Partial<FilledLimits>) => setFilled({ ...filled, ...change });
  const number = (name: NumberName, label: string, max?: number) => (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        name={name}
        min={0}
        max={max}
        step="any"
        value={filled[name]}
        onInput={({ currentTarget }) =>
          // One end by time: hours take the place of a moment.
          fill({ [name]: currentTarget.value, ...(name === 'maxHours' ? { endsAt: '' } : {}) })
        }
      />
    </label>
  );
  return (
    <Confirm
      title={`Limits of ${nameOf(instance)}`}
      action="Save"
      busy={action.busy}
      close={close}
      confirm={() =>
        void action.run(async () => {
          await app.api.updateInstance({
            id: Number(instance.instanceId),
            body: {
              ...limitsBody(filled),
              costCenter: costCenter.trim() === '' ? null : costCenter.trim(),
            },
          });
          done();
          return 'Saved.';
        })
      }
    >
      <p class="soft">It ends at the first limit that is reached. Empty: no such limit.</p>
      <div class="fields">
        {number('maxHours', 'Hours since it was rented')}
        <label class="field">
          <span>Or ends at</span>
          <input
            type="datetime-local"
            name="endsAt"
            value={filled.endsAt}
            onInput={({ currentTarget }) => fill({ endsAt: currentTarget.value, maxHours: '' })}
          />
        </label>
        {number('idleMinutes', 'Idle minutes (GPU use known and low)')}
        {number('idlePercent', 'Low GPU use is below, %', 100)}
        {number('maxUsd', 'Max cost since it was rented, $')}
        <Choice
          legend="At the limit"
          name="endAction"
          options={[
            { value: 'stop', label: 'Stop' },
            { value: 'destroy', label: 'Destroy' },
          ]}
          chosen={filled.endAction}
          choose={(endAction) => fill({ endAction })}
        />
        {number('warnMinutes', 'Warn before, minutes')}
      </div>
      <p class="soft">
        It can also look for an equal machine that costs less. That ends nothing: you decide about this one.
      </p>
      <div class="fields">
        {number('cheaperPercent', 'Cheaper by at least, %', 99)}
        {number('cheaperBooks', 'In this many books')}
        {number('cheaperOfBooks', 'Of the newest books')}
        <Choice
          legend="When it is found"
          name="cheaperAction"
          options={[
            { value: 'notify', label: 'Notify' },
            {
              value: 'replace',
              label: 'Rent it',
              title: 'Once, with the same settings, for no more than the price found, under all your limits',
            },
          ]}
          chosen={filled.cheaperAction}
          choose={(cheaperAction) => fill({ cheaperAction })}
        />
      </div>
      <div class="fields">
        <label class="field" title={costCenterWords.title}>
          <span>{costCenterWords.label}</span>
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

type NumberName = Exclude<keyof FilledLimits, 'endsAt' | 'endAction' | 'cheaperAction'>;
