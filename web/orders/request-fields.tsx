import type { FieldErrors } from '../core/field-errors.ts';
import { Choice } from '../parts/choice.tsx';
import { FieldError, TextField } from '../parts/text-field.tsx';
import { costCenterWords } from '../rentals/rent/rent-request.ts';
import { ScriptFields } from '../rentals/rent/script-fields.tsx';
import type { FilledOrder } from './filled-order.ts';

interface Props {
  filled: FilledOrder;
  fill: (filled: Partial<FilledOrder>) => void;
  errors: FieldErrors;
  /** What is stored but never shown, in words. */
  hidden: readonly string[];
}

/** What an order runs on each machine, and for how long. */
export function RequestFields({ filled, fill, errors, hidden }: Props) {
  const text = (name: 'image' | 'templateHashId' | 'label' | 'costCenter', label: string, title: string) => (
    <TextField
      label={label}
      name={name}
      title={title}
      value={filled[name]}
      set={(value) => fill({ [name]: value })}
      error={errors(`request.${name}`)}
    />
  );
  return (
    <>
      <FieldError error={errors('request')} />
      <div class="fields">
        {text('image', 'Image', 'Container image, such as ubuntu:24.04; optional with a template')}
        {text('templateHashId', 'Template', 'Hash of a template; fields left empty here are taken from it')}
        <TextField
          label="Disk, GB"
          name="diskGb"
          type="number"
          required
          min={1}
          title="Cannot be changed later"
          value={filled.diskGb}
          set={(diskGb) => fill({ diskGb })}
          error={errors('request.diskGb')}
        />
        <TextField
          label="Time limit, hours"
          name="maxHours"
          type="number"
          min={0}
          placeholder="None"
          title="Each machine ends after this time; empty: no limit"
          value={filled.maxHours}
          set={(maxHours) => fill({ maxHours })}
          error={errors('request.maxHours')}
        />
        <Choice
          legend="At the time limit"
          name="endAction"
          options={[
            { value: 'stop', label: 'Stop', title: 'Its disk is still charged' },
            { value: 'destroy', label: 'Destroy' },
          ]}
          chosen={filled.endAction}
          choose={(endAction) => fill({ endAction })}
        />
      </div>
      {hidden.length > 0 && (
        <p class="remark">
          Stored but never shown: {hidden.join(', ')}. If you change anything of “What to run”, enter it again
          below, or it is removed.
        </p>
      )}
      <details class="fold">
        <summary>Label, cost center, environment, start script</summary>
        <div class="fields">
          {text('label', 'Label', 'Of each machine; empty: the name of the order')}
          {text('costCenter', costCenterWords.label, costCenterWords.title)}
        </div>
        <ScriptFields values={filled} set={fill} />
      </details>
    </>
  );
}
