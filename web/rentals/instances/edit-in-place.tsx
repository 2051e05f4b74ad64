import { useEffect, useRef, useState } from 'preact/hooks';
import type { App } from '../../core/app.ts';
import { useAction } from '../../core/use-action.ts';
import { Failure } from '../../parts/failure.tsx';

interface Props {
  app: App;
  label: string;
  name: string;
  value: string | null;
  /** null: the reader may not. */
  save: ((value: string | null) => Promise<unknown>) | null;
}

/** A text with a button to change it where it stands: Enter saves, Escape leaves it as it was. */
export function EditInPlace({ app, label, name, value, save }: Props) {
  const [isEdited, setEdited] = useState(false);
  if (isEdited && save !== null) {
    const close = () => setEdited(false);
    return <Edited app={app} label={label} name={name} value={value} save={save} close={close} />;
  }
  return (
    <span class="in-place">
      <span class="cut" title={value ?? undefined}>
        {value ?? <span class="soft">none</span>}
      </span>
      {save !== null && (
        <button
          type="button"
          class="small quiet"
          aria-label={`Edit ${label.toLowerCase()}`}
          onClick={() => setEdited(true)}
        >
          Edit
        </button>
      )}
    </span>
  );
}

interface EditedProps extends Props {
  save: (value: string | null) => Promise<unknown>;
  close: () => void;
}

function Edited({ app, label, name, value, save, close }: EditedProps) {
  const [draft, setDraft] = useState(value ?? '');
  const action = useAction(app);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <form
      class="in-place"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(async () => {
          const given = draft.trim();
          await save(given === '' ? null : given);
          close();
          return `${label} saved.`;
        });
      }}
    >
      <input
        ref={input}
        name={name}
        aria-label={label}
        maxLength={200}
        value={draft}
        onInput={({ currentTarget }) => setDraft(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') close();
        }}
      />
      <button type="submit" class="small primary" disabled={action.busy}>
        Save
      </button>
      <button type="button" class="small" disabled={action.busy} onClick={close}>
        Cancel
      </button>
      <Failure problem={action.problem} />
    </form>
  );
}
