import { useState } from 'preact/hooks';
import { listSheetLinks } from '../../client/operations.js';
import type { NewSheetLink, SheetLink, SheetLinkRequest } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { pathTo } from '../core/path-to.ts';
import { onceKnown } from '../core/permission.ts';
import { useAction } from '../core/use-action.ts';
import { useAnswer } from '../core/use-answer.ts';
import { Allowed } from '../parts/allowed.tsx';
import { Select } from '../parts/choice.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { DeleteDialog } from '../parts/delete-dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Moment } from '../parts/moment.tsx';
import { Awaited } from '../parts/notice.tsx';
import { spendFiles } from './spend-files.ts';

const exports = spendFiles.map(({ name, label }) => ({ value: name, label }));

const sharing = { to: 'see or create links' };

interface Props {
  app: App;
  /** Grouping of the view, for the sums. */
  group: string;
  timeZone: string;
}

/** Links that a spreadsheet loads by itself; each is shown once and valid until revoked. */
export function SheetLinks(props: Props) {
  return (
    <section class="card" aria-label="Live sheets" id="sheets">
      <h2>
        Live sheets
        <small>
          a link that a spreadsheet reloads by itself, always with this month and the one before;{' '}
          <a href="/api/docs/live-sheets.md">how to use it</a>
        </small>
      </h2>
      <Allowed app={props.app} permission={sharing}>
        <Links {...props} />
      </Allowed>
    </section>
  );
}

function Links({ app, group, timeZone }: Props) {
  const links = useAnswer(app, onceKnown(app, pathTo(listSheetLinks, {})));
  const [name, setName] = useState<SheetLinkRequest['export']>('spend');
  const [note, setNote] = useState('');
  const [made, setMade] = useState<NewSheetLink | null>(null);
  const [ending, setEnding] = useState<SheetLink | null>(null);
  const action = useAction(app);
  async function make(): Promise<string> {
    const query = { timeZone, ...(name === 'spend-summary' ? { groupBy: group } : {}) };
    const request = { export: name, query, note: note.trim() === '' ? null : note.trim() };
    setMade(await app.api.createSheetLink({ body: request }));
    setNote('');
    links.reload();
    return 'Link created.';
  }
  return (
    <>
      <form
        class="fields"
        aria-label="New live sheet"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run(make);
        }}
      >
        <Select
          label="Export"
          name="sheet-export"
          options={exports}
          value={name}
          choose={(chosen) => setName(chosen as typeof name)}
        />
        <label class="field">
          <span>Note</span>
          <input
            name="sheet-note"
            maxLength={200}
            placeholder="For whom"
            value={note}
            onInput={({ currentTarget }) => setNote(currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={action.busy}>
          Create link
        </button>
      </form>
      <p class="caption">{spendFiles.find((file) => file.name === name)?.holds}</p>
      <Failure problem={action.problem} />
      {made !== null && <Made app={app} link={made} />}
      <Awaited answer={links} what="the links">
        {({ items }) => {
          const working = items.filter(({ revokedAt }) => revokedAt === null);
          return working.length === 0 ? (
            <p class="caption">No active links.</p>
          ) : (
            <DataTable
              label="List of live sheets"
              id="sheet-table"
              stacks
              rows={working}
              keyOf={({ id }) => id}
              columns={[
                {
                  head: 'Export',
                  heads: true,
                  cell: (link) => exports.find(({ value }) => value === link.export)?.label ?? link.export,
                },
                { head: 'Note', field: 'note', value: ({ note }) => note, cell: ({ note }) => note ?? '–' },
                { head: 'Created', cell: ({ createdAt }) => <Moment t={createdAt} /> },
                { head: 'Last read', cell: ({ lastReadAt }) => <Moment t={lastReadAt} none="Never" /> },
                {
                  head: 'Actions',
                  actions: true,
                  cell: (link) => (
                    <button type="button" class="small danger" onClick={() => setEnding(link)}>
                      Revoke…
                    </button>
                  ),
                },
              ]}
            />
          );
        }}
      </Awaited>
      {ending !== null && (
        <DeleteDialog
          app={app}
          title="Revoke this link?"
          action="Revoke"
          remove={() => app.api.revokeSheetLink({ id: ending.id })}
          said="Link revoked."
          done={() => {
            setEnding(null);
            if (made?.id === ending.id) setMade(null);
            links.reload();
          }}
          close={() => setEnding(null)}
        >
          Spreadsheets keep the data they have but can no longer reload it. This cannot be undone.
        </DeleteDialog>
      )}
    </>
  );
}

function Made({ app, link: { url, formulas, hint } }: { app: App; link: NewSheetLink }) {
  const lines = [
    ['Address', url],
    ['Google Sheets', formulas.googleSheets],
    ['Excel', formulas.excel],
    ['LibreOffice', formulas.libreOffice],
  ] as const;
  return (
    <div class="made" role="status" data-sheet>
      <p>
        <strong>Copy it now:</strong> it is shown only once, and anyone who has it can read the sheet.
      </p>
      <dl class="pastes">
        {lines.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <CopyText app={app} text={text} />
            </dd>
          </div>
        ))}
      </dl>
      {hint !== null && (
        <p class="remark" data-hint>
          {hint}
        </p>
      )}
    </div>
  );
}
