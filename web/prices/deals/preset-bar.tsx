import { useEffect, useRef, useState } from 'preact/hooks';
import { hrefOf } from '../../core/address.ts';
import type { App } from '../../core/app.ts';
import { maxNameLength, presetQuery } from '../../core/deal-presets.ts';
import { namedMarkets } from '../../core/market-choice.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { lazyPart } from '../../parts/lazy-view.tsx';

const PresetEditor = lazyPart('the presets', async () => (await import('./preset-editor.tsx')).PresetEditor);

/** The reader's presets as links, and what saves, renames and deletes them. */
export function PresetBar({ app, market }: { app: App; market: string }) {
  const { path, query } = app.address.place.value;
  const [open, setOpen] = useState<'save' | 'edit' | null>(null);
  const [name, setName] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (open === 'save') field.current?.focus();
  }, [open]);
  const presets = app.dealPresets.of(market);
  const own = presetQuery(query);
  const addressOf = (preset: string): string => {
    const chosen = new URLSearchParams(preset);
    for (const each of namedMarkets(query)) chosen.append('market', each);
    return hrefOf(path, chosen);
  };
  return (
    <div class="presets">
      {presets.length > 0 && (
        <ul class="chips" aria-label="Presets">
          {presets.map((preset) => (
            <li key={preset.name}>
              <a
                class="chip"
                href={addressOf(preset.query)}
                aria-current={preset.query === own ? 'true' : undefined}
              >
                {preset.name}
              </a>
            </li>
          ))}
        </ul>
      )}
      {open === 'save' ? (
        <form
          class="row"
          aria-label="Save as preset"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() === '') return;
            app.dealPresets.save(market, { name: name.trim(), query: own });
            app.say(`Preset ${name.trim()} saved.`);
            setOpen(null);
          }}
        >
          <input
            name="preset-name"
            aria-label="Name of the preset"
            placeholder="Name"
            required
            maxLength={maxNameLength}
            value={name}
            ref={field}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <button type="submit" class="primary">
            Save
          </button>
          <button type="button" onClick={() => setOpen(null)}>
            Cancel
          </button>
        </form>
      ) : (
        <button
          type="button"
          class="quiet small"
          onClick={() => {
            setName('');
            setOpen('save');
          }}
        >
          Save as preset
        </button>
      )}
      {presets.length > 0 && (
        <button type="button" class="quiet small" onClick={() => setOpen('edit')}>
          Edit presets
        </button>
      )}
      {open === 'edit' && (
        <Dialog title="Presets" close={() => setOpen(null)}>
          <PresetEditor app={app} market={market} />
        </Dialog>
      )}
    </div>
  );
}
