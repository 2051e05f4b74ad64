import type { PricingType, Status } from './api.ts';
import type { PageState } from './page-state.ts';
import { type Range, ranges, type View } from './view.ts';

/** Names of the pricing types as people say them. */
const typeLabels: Record<PricingType, string> = {
  'on-demand': 'On-demand',
  bid: 'Bid',
  reserved: 'Reserved',
};

const rangeLabels: Record<Range, string> = { '24h': '24 h', '7d': '7 d', '30d': '30 d', all: 'All' };

/** GPU model, pricing type and range; each choice goes into the page's address. */
export function Choosers({ state, status }: { state: PageState; status: Status | null }) {
  const view = state.view.value;
  const types = status === null || status.types.length === 0 ? [view.type] : status.types;
  return (
    <form class="choosers" aria-label="What to show" onSubmit={(event) => event.preventDefault()}>
      <label class="field">
        <span>GPU model</span>
        <select
          name="gpu"
          value={view.gpuName ?? ''}
          onChange={({ currentTarget }) =>
            state.change({ gpuName: currentTarget.value === '' ? null : currentTarget.value })
          }
        >
          <option value="">All models</option>
          {modelsOf(view, status).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Choice
        legend="Type"
        name="type"
        options={types.map((type) => ({ value: type, label: typeLabels[type] }))}
        chosen={view.type}
        choose={(type) => state.change({ type })}
      />
      <Choice
        legend="Range"
        name="range"
        options={ranges.map((range) => ({ value: range, label: rangeLabels[range] }))}
        chosen={view.range}
        choose={(range) => state.change({ range })}
      />
    </form>
  );
}

// A shared address may name a model that this market does not have: it stays visible and can be left.
function modelsOf(view: View, status: Status | null): string[] {
  const known = (status?.gpuNames ?? []).toSorted((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  return view.gpuName === null || known.includes(view.gpuName) ? known : [view.gpuName, ...known];
}

interface ChoiceProps<T extends string> {
  legend: string;
  name: string;
  options: { value: T; label: string }[];
  chosen: T;
  choose: (value: T) => void;
}

function Choice<T extends string>({ legend, name, options, chosen, choose }: ChoiceProps<T>) {
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      <div>
        {options.map(({ value, label }) => (
          <label key={value}>
            <input
              type="radio"
              name={name}
              value={value}
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
