import { useState } from 'preact/hooks';

interface Props {
  /** All models to choose from. */
  names: readonly string[];
  chosen: readonly string[];
  choose: (names: string[]) => void;
  /** Maximum number of models. */
  max?: number;
  label?: string;
}

/** Chooses GPU models from a list with a search field; none selected means all. */
export function ModelPicker({ names, chosen, choose, max = 100, label = 'GPU models' }: Props) {
  const [wanted, setWanted] = useState('');
  const all = [...new Set([...chosen, ...names])].toSorted((a, b) =>
    a.localeCompare(b, undefined, { numeric: true }),
  );
  const found = all.filter((name) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  const title = chosen.length === 0 ? 'All models' : chosen.join(', ');
  return (
    <div class="field picker">
      <span>{label}</span>
      <details
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.currentTarget.open = false;
          event.currentTarget.querySelector('summary')?.focus();
        }}
        onFocusOut={(event) => {
          const next = event.relatedTarget;
          if (next instanceof Node && !event.currentTarget.contains(next)) event.currentTarget.open = false;
        }}
      >
        <summary aria-label={`${label}: ${title}`} title={title}>
          {title}
        </summary>
        <div class="options">
          <input
            type="search"
            placeholder="Search"
            aria-label={`Search ${label}`}
            value={wanted}
            onInput={({ currentTarget }) => setWanted(currentTarget.value)}
          />
          <ul>
            {found.map((name) => (
              <li key={name}>
                <label>
                  <input
                    type="checkbox"
                    name="gpuName"
                    value={name}
                    checked={chosen.includes(name)}
                    disabled={!chosen.includes(name) && chosen.length >= max}
                    onChange={({ currentTarget }) =>
                      choose(
                        currentTarget.checked ? [...chosen, name] : chosen.filter((each) => each !== name),
                      )
                    }
                  />
                  {name}
                </label>
              </li>
            ))}
          </ul>
          {found.length === 0 && <p class="soft">No matching model.</p>}
          {chosen.length > 0 && (
            <button type="button" class="quiet" onClick={() => choose([])}>
              All models
            </button>
          )}
        </div>
      </details>
    </div>
  );
}
