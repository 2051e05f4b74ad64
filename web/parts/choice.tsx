interface ChoiceProps<T extends string> {
  legend: string;
  name: string;
  options: readonly { value: T; label: string; title?: string | undefined; disabled?: boolean }[];
  chosen: T | null;
  choose: (value: T) => void;
}

/** Radio buttons shown as a row of buttons. */
export function Choice<T extends string>({ legend, name, options, chosen, choose }: ChoiceProps<T>) {
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      <div>
        {options.map(({ value, label, title, disabled = false }) => (
          <label key={value} title={title}>
            <input
              type="radio"
              name={name}
              value={value}
              disabled={disabled}
              checked={value === chosen}
              onChange={() => choose(value)}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface SomeProps<T extends string> extends Omit<ChoiceProps<T>, 'options' | 'chosen' | 'choose'> {
  /** `isOff`: whether it has no effect now, so that it does not look chosen; where it is given, chosen ones have a check mark. @default no mark */
  options: readonly { value: T; label: string; title?: string | undefined; isOff?: boolean }[];
  chosen: readonly T[];
  choose: (values: T[]) => void;
}

/** Check boxes shown as a row of buttons. */
export function SomeOf<T extends string>({ legend, name, options, chosen, choose }: SomeProps<T>) {
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      <div>
        {options.map(({ value, label, title, isOff }) => (
          <label
            key={value}
            title={title}
            class={isOff === undefined ? undefined : isOff ? 'marked off' : 'marked'}
          >
            <input
              type="checkbox"
              name={name}
              value={value}
              checked={chosen.includes(value)}
              onChange={({ currentTarget }) =>
                choose(
                  options
                    .map((option) => option.value)
                    .filter((each) => (each === value ? currentTarget.checked : chosen.includes(each))),
                )
              }
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface SelectProps {
  label: string;
  name: string;
  options: readonly { value: string; label: string }[];
  value: string;
  choose: (value: string) => void;
  title?: string;
}

/** A select box. */
export function Select({ label, name, options, value, choose, title }: SelectProps) {
  return (
    <label class="field" title={title}>
      <span>{label}</span>
      <select name={name} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}

interface SwitchProps {
  label: string;
  name: string;
  on: boolean;
  change: (on: boolean) => void;
  title?: string;
}

/** A check box. */
export function Switch({ label, name, on, change, title }: SwitchProps) {
  return (
    <label class="switch" title={title}>
      <input
        type="checkbox"
        name={name}
        checked={on}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
