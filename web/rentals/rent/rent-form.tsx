import { useState } from 'preact/hooks';
import { hoursWords } from '../../core/ending-words.ts';
import { Select, Switch } from '../../parts/choice.tsx';
import {
  bidField,
  endingOf,
  endingsOf,
  type Fields,
  type FieldText,
  mainFields,
  moreFields,
  type Options,
} from './rent-request.ts';
import { ScriptFields } from './script-fields.tsx';

interface Props {
  bid: boolean;
  /** Hours for which the offer can be rented; null: unknown. */
  maxHours: number | null;
  /** Hours of the usage profile of the search. */
  profileHours: number;
  fields: Fields;
  options: Options;
  set: (fields: Fields) => void;
  choose: (options: Options) => void;
}

/** What to run and on which terms; rare fields are collapsed. */
export function RentFields({ bid, maxHours, profileHours, fields, options, set, choose }: Props) {
  const field = (text: FieldText) => <Field key={text.name} text={text} fields={fields} set={set} />;
  const ending = endingOf(options.ending, fields.runningHours, maxHours);
  const [isOpen] = useState(moreFields.some(({ name }) => fields[name] !== ''));
  return (
    <>
      <div class="fields">
        {bid && field(bidField)}
        {mainFields.map(field)}
        <Select
          label="Afterwards"
          name="ending"
          options={endingsOf(fields.runningHours, maxHours)}
          value={ending}
          choose={(chosen) => choose({ ...options, ending: chosen as Options['ending'] })}
        />
      </div>
      {maxHours !== null && (
        <p class="caption" data-max-hours={maxHours}>
          {hoursWords(fields.runningHours, { maxHours, profileHours, keeps: ending === 'keep' && !bid })}
        </p>
      )}
      <details class="fold" open={isOpen}>
        <summary>Template, environment, volume and replacement</summary>
        <div class="fields">
          {moreFields.map(field)}
          <div class="switches">
            <Switch
              label="Replace it if it never starts"
              title="Rents the next best machine within the same price cap and destroys this one"
              name="replaces"
              on={options.replaces}
              change={(replaces) => choose({ ...options, replaces })}
            />
          </div>
        </div>
        <ScriptFields values={fields} set={(changed) => set({ ...fields, ...changed })} />
      </details>
    </>
  );
}

interface FieldProps extends Pick<Props, 'fields' | 'set'> {
  text: FieldText;
}

function Field({ text, fields, set }: FieldProps) {
  const { name, label, number = false, required = false, title } = text;
  return (
    <label class="field" title={title}>
      <span>{label}</span>
      <input
        name={name}
        inputMode={number ? 'decimal' : 'text'}
        required={required}
        value={fields[name]}
        onInput={({ currentTarget }) => set({ ...fields, [name]: currentTarget.value })}
      />
    </label>
  );
}
