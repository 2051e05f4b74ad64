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
  // Those chosen when it was opened come first; none changes its place under the pointer.
  const [first, setFirst] = useState<readonly string[]>([]);
  const others = [...chosen, ...names].toSorted((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  const all = [...new Set([...first, ...others])];
  const found = all.filter((name) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  const unseen = chosen.filter((name) => !found.includes(name));
  const title = chosen.length === 0 ? 'All models' : chosen.join(', ');
  return (
    <div class="field picker">
      <span>{label}</span>
      <details
        onToggle={({ currentTarget }) => {
          if (currentTarget.open) {
            setFirst(chosen);
            currentTarget.querySelector<HTMLElement>(stops)?.focus();
          }
          // What was searched for would hide the chosen models the next time.
          else setWanted('');
        }}
        onKeyDown={(event) => {
          const picker = event.currentTarget;
          if (event.key === 'Escape') closeAround(picker);
          else if (!moveFocus(picker, event)) return;
          event.preventDefault();
        }}
        onFocusOut={(event) => {
          const next = event.relatedTarget;
          if (next instanceof Node && !event.currentTarget.contains(next)) event.currentTarget.open = false;
        }}
      >
        <summary aria-label={`${label}: ${title}`} title={title}>
          {title}
        </summary>
        <div class="options" tabIndex={-1}>
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
          {unseen.length > 0 && (
            <p class="soft unseen">
              Also chosen:
              {unseen.map((name) => (
                <button
                  key={name}
                  type="button"
                  class="small"
                  onClick={({ currentTarget }) => {
                    // The button goes; the keyboard goes on in the search field.
                    currentTarget.closest('.picker')?.querySelector<HTMLElement>(stops)?.focus();
                    choose(chosen.filter((each) => each !== name));
                  }}
                >
                  Remove {name}
                </button>
              ))}
            </p>
          )}
          {chosen.length > 0 && (
            <button
              type="button"
              class="quiet"
              onClick={({ currentTarget }) => {
                choose([]);
                closeAround(currentTarget);
              }}
            >
              All models
            </button>
          )}
        </div>
      </details>
    </div>
  );
}

/** Closes the list that contains an element, or is it, and moves the focus to its button. */
function closeAround(element: HTMLElement): void {
  const picker = element.closest('details');
  picker?.removeAttribute('open');
  picker?.querySelector('summary')?.focus();
}

/** Where the arrow keys stop: the search field, then the models. */
const stops = '.options input';

/** Moves the focus with the arrow keys, and chooses the first model found with Enter; false: another key. */
function moveFocus(picker: HTMLElement, { key, target }: KeyboardEvent): boolean {
  const [search, ...models] = picker.querySelectorAll<HTMLInputElement>(stops);
  const all = search === undefined ? [] : [search, ...models];
  const at = all.indexOf(target as HTMLInputElement);
  if (at === -1) return false;
  if (key === 'Enter') all[Math.max(at, 1)]?.click();
  else if (key === 'ArrowDown') all[Math.min(at + 1, all.length - 1)]?.focus();
  else if (key === 'ArrowUp') all[Math.max(at - 1, 0)]?.focus();
  else if (key === 'End' && at > 0) all.at(-1)?.focus();
  else if (key === 'Home' && at > 0) models[0]?.focus();
  else return false;
  return true;
}
