import { useState } from 'preact/hooks';
import { labelInZone, type ScheduleOption } from '../core/schedules.ts';
import { Select } from './choice.tsx';

interface Props {
  label: string;
  /** Name of the field with the expression; that of the choice is `NAME-choice`. */
  name: string;
  options: readonly ScheduleOption[];
  cron: string;
  /** Whose times of day are meant. */
  timeZone: string;
  set: (cron: string) => void;
}

const custom = 'custom';

/** A schedule, chosen in words; a cron expression only behind `Custom`. */
export function ScheduleChoice({ label, name, options, cron, timeZone, set }: Props) {
  const isKnown = options.some((each) => each.cron === cron);
  const [isCustom, setCustom] = useState(!isKnown);
  const shown = isCustom || !isKnown;
  return (
    <>
      <Select
        label={label}
        name={`${name}-choice`}
        options={[
          ...options.map((each) => ({ value: each.cron, label: labelInZone(each, timeZone) })),
          { value: custom, label: 'Custom…' },
        ]}
        value={shown ? custom : cron}
        choose={(value) => {
          setCustom(value === custom);
          if (value !== custom) set(value);
        }}
      />
      {shown && (
        <label class="field" title="Five fields: minute, hour, day of month, month, day of week">
          <span>
            {label}, cron expression in {timeZone}
          </span>
          <input
            name={name}
            required
            placeholder="0 8 * * *"
            value={cron}
            onInput={({ currentTarget }) => set(currentTarget.value)}
          />
        </label>
      )}
    </>
  );
}
