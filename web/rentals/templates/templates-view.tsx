import { useState } from 'preact/hooks';
import { listTemplates } from '../../../client/operations.js';
import type { Template } from '../../core/api.ts';
import { countOf, formatCount } from '../../core/figures.ts';
import { pathTo } from '../../core/path-to.ts';
import { onceKnown, reasonFor } from '../../core/permission.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { AccountTabs } from '../../parts/account-tabs.tsx';
import { Reason } from '../../parts/allowed.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DeleteDialog } from '../../parts/delete-dialog.tsx';
import { Awaited, Notice } from '../../parts/notice.tsx';
import type { ViewProps } from '../../parts/view.ts';
import { ViewHead } from '../../parts/view-head.tsx';
import { TemplateForm } from './template-form.tsx';

const maxShown = 200;
/** Their environments may be confidential. */
const templating = { to: 'see or change templates' };

/** The market's templates, including the account's: search, create, edit, delete, rent. */
export function TemplatesView({ app, status }: ViewProps) {
  const reason = reasonFor(app, templating);
  if (reason === null) return <AllTemplates app={app} status={status} />;
  return (
    <>
      <ViewHead title="Templates">
        <AccountTabs path="/templates" />
      </ViewHead>
      <p>
        <Reason>{reason}</Reason>
      </p>
    </>
  );
}

function AllTemplates({ app }: ViewProps) {
  const { query } = app.address.place.value;
  const answer = useAnswer(app, onceKnown(app, pathTo(listTemplates, {})));
  const [editing, setEditing] = useState<Template | 'new' | null>(null);
  const [ending, setEnding] = useState<Template | null>(null);
  const wanted = query.get('q') ?? '';
  const done = () => {
    setEditing(null);
    setEnding(null);
    answer.reload();
  };
  return (
    <>
      <ViewHead title="Templates">
        <AccountTabs path="/templates" />
        <form class="choosers" aria-label="Template search" onSubmit={(event) => event.preventDefault()}>
          <label class="field">
            <span>Search</span>
            <input
              type="search"
              name="q"
              placeholder="Name or image"
              value={wanted}
              onInput={({ currentTarget }) => app.address.change({ q: currentTarget.value })}
            />
          </label>
        </form>
        <button type="button" class="primary" onClick={() => setEditing('new')}>
          New template
        </button>
      </ViewHead>
      {editing !== null && (
        <TemplateForm
          key={editing === 'new' ? 'new' : editing.templateId}
          app={app}
          template={editing === 'new' ? null : editing}
          done={done}
          close={() => setEditing(null)}
        />
      )}
      <section class="card" aria-label="Templates" id="templates">
        <Awaited answer={answer} what="the templates">
          {({ items, rejected }) => (
            <TemplateTable
              items={items.filter((template) => fits(template, wanted))}
              rejected={rejected}
              edit={setEditing}
              end={setEnding}
            />
          )}
        </Awaited>
      </section>
      {ending !== null && (
        <DeleteDialog
          app={app}
          title={`Delete the template ${ending.name}?`}
          remove={() => app.api.deleteTemplate({ id: ending.templateId })}
          said={`${ending.name} deleted.`}
          done={done}
          close={() => setEnding(null)}
        >
          Instances that use it keep running. The market only deletes templates of your own account.
        </DeleteDialog>
      )}
    </>
  );
}

const fits = ({ name, image }: Template, wanted: string) =>
  `${name} ${image}`.toLowerCase().includes(wanted.trim().toLowerCase());

interface TableProps {
  items: readonly Template[];
  rejected: number;
  edit: (template: Template) => void;
  end: (template: Template) => void;
}

function TemplateTable({ items, rejected, edit, end }: TableProps) {
  if (items.length === 0) {
    return (
      <Notice title="No matching template">
        A template holds an image and its start options. Create one, or search for another name.
      </Notice>
    );
  }
  return (
    <>
      <DataTable
        label="List of templates"
        id="template-table"
        stacks
        rows={items.slice(0, maxShown)}
        keyOf={({ templateId }) => String(templateId)}
        columns={[
          {
            head: 'Template',
            heads: true,
            cell: ({ name, description, isPrivate, isRecommended }) => (
              <span title={description ?? undefined}>
                {name}
                {isPrivate === true && <span class="tag">private</span>}
                {isRecommended === true && <span class="tag">recommended</span>}
              </span>
            ),
          },
          {
            head: 'Image',
            cell: ({ image, tag }) => <code>{tag === null || tag === '' ? image : `${image}:${tag}`}</code>,
          },
          {
            head: 'Disk, GB',
            number: true,
            field: 'recommendedDiskGb',
            value: ({ recommendedDiskGb }) => recommendedDiskGb,
            cell: ({ recommendedDiskGb: disk }) => (disk === null ? '–' : formatCount(disk)),
          },
          {
            head: 'Times used',
            number: true,
            title: 'Instances that all users of the market have created from it',
            field: 'instancesCreated',
            value: ({ instancesCreated }) => instancesCreated,
            cell: ({ instancesCreated }) => (instancesCreated === null ? '–' : formatCount(instancesCreated)),
          },
          {
            head: 'Actions',
            actions: true,
            cell: (template) => (
              <span class="row nowrap">
                {template.hashId !== null && (
                  <a class="button small" href={`/deals?template=${encodeURIComponent(template.hashId)}`}>
                    Choose a deal
                  </a>
                )}
                <button
                  type="button"
                  class="small"
                  aria-label={`Edit ${template.name}`}
                  onClick={() => edit(template)}
                >
                  Edit
                </button>
                <button
                  type="button"
                  class="small danger"
                  aria-label={`Delete ${template.name}`}
                  onClick={() => end(template)}
                >
                  Delete…
                </button>
              </span>
            ),
          },
        ]}
      />
      <p class="caption">
        {items.length > maxShown
          ? `The first ${maxShown} of ${countOf(items.length, 'template')}: search for the others.`
          : `${countOf(items.length, 'template')}.`}
        {rejected > 0 && ` ${countOf(rejected, 'record')} could not be read and are left out.`}
      </p>
    </>
  );
}
