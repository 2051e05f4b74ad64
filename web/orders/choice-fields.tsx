import { useEffect, useRef } from 'preact/hooks';
import type { Watch } from '../core/api.ts';
import type { FieldErrors } from '../core/field-errors.ts';
import { Select } from '../parts/choice.tsx';
import { FieldError, TextField } from '../parts/text-field.tsx';
import { BidFields } from './bid-fields.tsx';
import { type FilledChoice, filledChoice } from './filled-order.ts';
import { dayCount } from './order-words.ts';

interface Props {
  choices: readonly FilledChoice[];
  set: (choices: FilledChoice[]) => void;
  watches: readonly Watch[];
  errors: FieldErrors;
}

const maxChoices = 10;
/** The API's fields of a choice whose errors are shown. */
export const choiceFieldNames = [
  ...['watchId', 'maxUsdPerGpuHour', 'maxPercentile', 'maxPercentile.percentile'],
  ...['minIndexFall', 'minIndexFall.percent'],
];

/** The choices of an order, in order of preference: added, removed and moved. */
export function ChoiceList({ choices, set, watches, errors }: Props) {
  const list = useRef<HTMLDivElement>(null);
  // The element to focus once the list is drawn again.
  const next = useRef<string | null>(null);
  useEffect(() => {
    if (next.current === null) return;
    const wanted = [...(list.current?.querySelectorAll<HTMLElement>(next.current) ?? [])];
    next.current = null;
    wanted.find((element) => !element.matches(':disabled'))?.focus();
  });
  const change = (changed: FilledChoice[], focused: string): void => {
    next.current = focused;
    set(changed);
  };
  const move = (from: number, by: -1 | 1): void => {
    const moved = choices.toSpliced(from, 1);
    const choice = choices[from];
    if (choice === undefined) return;
    moved.splice(from + by, 0, choice);
    change(
      moved,
      `#choice-${choice.key} .${by < 0 ? 'up' : 'down'}, #choice-${choice.key} .${by < 0 ? 'down' : 'up'}`,
    );
  };
  // The API does not say in which of several choices a field is wrong.
  const [only] = choices.length === 1 ? choices : [];
  const general = only === undefined ? choiceFieldNames : [];
  return (
    <div ref={list}>
      {['choices', ...general.map((name) => `choices.${name}`)].map((name) => (
        <FieldError key={name} error={errors(name)} />
      ))}
      {choices.map((choice, place) => (
        <fieldset key={choice.key} class="preference" id={`choice-${choice.key}`}>
          <legend>{choices.length === 1 ? 'Rent' : `Choice ${place + 1}`}</legend>
          <ChoiceFields
            choice={choice}
            watches={watches}
            errors={choice === only ? errors : () => null}
            fill={(filled) => set(choices.with(place, { ...choice, ...filled }))}
          />
          <BidFields bid={choice.bid} set={(bid) => set(choices.with(place, { ...choice, bid }))} />
          {choices.length > 1 && (
            <p class="row">
              <button
                type="button"
                class="small up"
                disabled={place === 0}
                aria-label={`Move choice ${place + 1} up`}
                onClick={() => move(place, -1)}
              >
                Up
              </button>
              <button
                type="button"
                class="small down"
                disabled={place === choices.length - 1}
                aria-label={`Move choice ${place + 1} down`}
                onClick={() => move(place, 1)}
              >
                Down
              </button>
              <button
                type="button"
                class="small danger"
                aria-label={`Remove choice ${place + 1}`}
                onClick={() => change(choices.toSpliced(place, 1), '.add')}
              >
                Remove
              </button>
            </p>
          )}
        </fieldset>
      ))}
      {choices.length < maxChoices && (
        <button
          type="button"
          class="small add"
          title="Tried when nothing fits the choices before it"
          onClick={() => {
            const added = filledChoice(null);
            change([...choices, added], `#choice-${added.key} select`);
          }}
        >
          Add another choice
        </button>
      )}
    </div>
  );
}

interface FieldsProps extends Pick<Props, 'watches' | 'errors'> {
  choice: FilledChoice;
  fill: (filled: Partial<FilledChoice>) => void;
}

/** A choice's watch and price conditions. */
function ChoiceFields({ choice, watches, errors, fill }: FieldsProps) {
  const { watchId, maxUsdPerGpuHour, percentile, percentileDays, fallPercent, fallDays } = choice;
  const isKnown = watches.some(({ id }) => id === watchId);
  return (
    <div class="fields">
      <label class="field">
        <span>Watch</span>
        <select
          name="watchId"
          required
          value={watchId}
          aria-invalid={errors('choices.watchId') === null ? undefined : true}
          onChange={({ currentTarget }) => fill({ watchId: currentTarget.value })}
        >
          <option value="">Choose</option>
          {!isKnown && watchId !== '' && <option value={watchId}>A deleted watch</option>}
          {watches.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <FieldError error={errors('choices.watchId')} />
      </label>
      <TextField
        label="Max $/GPU-hour"
        name="maxUsdPerGpuHour"
        type="number"
        min={0}
        required={choice.bid.bids || (percentile === '' && fallPercent === '')}
        value={maxUsdPerGpuHour}
        set={(text) => fill({ maxUsdPerGpuHour: text })}
        error={errors('choices.maxUsdPerGpuHour')}
      />
      <TextField
        label="Among the cheapest, %"
        name="percentile"
        type="number"
        min={0}
        max={100}
        placeholder="Any"
        value={percentile}
        set={(text) => fill({ percentile: text })}
        error={errors('choices.maxPercentile') ?? errors('choices.maxPercentile.percentile')}
      />
      <Select
        label="Compared with"
        name="percentileDays"
        options={days([7, 30, 90])}
        value={percentileDays}
        choose={(text) => fill({ percentileDays: text })}
      />
      <TextField
        label="Prices like for like down by, %"
        name="fallPercent"
        type="number"
        min={0}
        max={100}
        placeholder="Any"
        value={fallPercent}
        set={(text) => fill({ fallPercent: text })}
        error={errors('choices.minIndexFall') ?? errors('choices.minIndexFall.percent')}
      />
      <Select
        label="Within"
        name="fallDays"
        options={days([1, 7, 27])}
        value={fallDays}
        choose={(text) => fill({ fallDays: text })}
      />
      <p class="caption">
        Max price: of one GPU, with the disk below. Among the cheapest: 10 rents only what is among the
        cheapest 10% of the prices of comparable machines in those days. Prices like for like: 5 rents only
        once the prices of the model, of the same machines, are clearly 5% lower than before. Empty: no such
        condition.
      </p>
    </div>
  );
}

const days = (counts: readonly number[]) =>
  counts.map((count) => ({ value: String(count), label: dayCount(count) }));
