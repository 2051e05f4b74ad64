import { useState } from 'preact/hooks';
import type { App } from '../../core/app.ts';
import { maxNameLength } from '../../core/deal-presets.ts';
import { Notice } from '../../parts/notice.tsx';

/** Renames and deletes presets. */
export function PresetEditor({ app, market }: { app: App; market: string }) {
  const presets = app.dealPresets.of(market);
  if (presets.length === 0) return <Notice title="No preset is left" />;
  return (
    <ul class="plain-list">
      {presets.map(({ name }) => (
        <li key={name}>
          <PresetRow app={app} market={market} name={name} />
        </li>
      ))}
    </ul>
  );
}

function PresetRow({ app, market, name }: { app: App; market: string; name: string }) {
  const [given, setGiven] = useState(name);
  const newName = given.trim();
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        if (newName === '' || newName === name) return;
        app.dealPresets.rename(market, name, newName);
        app.say(`Preset ${name} is now ${newName}.`);
      }}
    >
      <input
        name="new-name"
        aria-label={`New name of ${name}`}
        required
        maxLength={maxNameLength}
        value={given}
        onInput={({ currentTarget }) => setGiven(currentTarget.value)}
      />
      <button type="submit" disabled={newName === '' || newName === name} aria-label={`Rename ${name}`}>
        Rename
      </button>
      <button
        type="button"
        class="danger"
        aria-label={`Delete ${name}`}
        onClick={() => {
          app.dealPresets.remove(market, name);
          app.say(`Preset ${name} deleted.`);
        }}
      >
        Delete
      </button>
    </form>
  );
}
