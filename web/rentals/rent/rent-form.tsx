import { Switch } from '../../parts/choice.tsx';
import { bidField, type Fields, type FieldText, mainFields, moreFields } from './rent-request.ts';
import { ScriptFields } from './script-fields.tsx';

/** Choices besides the text fields. */
export interface Options {
  /** Whether it is destroyed instead of stopped when its time is over. */
  destroys: boolean;
  /** Whether another offer is rented if this instance never runs. */
  replaces: boolean;
}

interface Props {
  bid: boolean;
  fields: Fields;
  options: Options;
  set: (fields: Fields) => void;
  choose: (options: Options) => void;
}

/** What to run and on which terms; rare fields are collapsed. */
export function RentFields({ bid, fields, options, set, choose }: Props) {
  const field = (text: FieldText) => <Field key={text.name} text={text} fields={fields} set={set} />;
  const said = moreFields.some(({ name }) => fields[name] !== '');
  return (
    <>
      <div class="fields">
        {mainFields.map(field)}
        {bid && field(bidField)}
      </div>
      <details class="fold" open={said}>
        <summary>Template, environment, volume and end of the rental</summary>
        <div class="fields">
          {moreFields.map(field)}
          <div class="switches">
            <Switch
              label="Destroy at the time limit"
              title="Otherwise it is stopped, and its disk is still charged"
              name="destroys"
              on={options.destroys}
              change={(destroys) => choose({ ...options, destroys })}
            />
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
