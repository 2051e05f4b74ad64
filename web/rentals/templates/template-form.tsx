import { useState } from 'preact/hooks';
import type { Template } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { useAction } from '../../core/use-action.ts';
import { Switch } from '../../parts/choice.tsx';
import { Failure } from '../../parts/failure.tsx';

interface Props {
  app: App;
  /** null: a new one. */
  template: Template | null;
  done: () => void;
  close: () => void;
}

const texts = [
  { name: 'name', label: 'Name', required: true, title: 'Your name for the template' },
  { name: 'image', label: 'Image', required: true, title: 'Container image, such as ubuntu:24.04' },
  { name: 'tag', label: 'Tag', required: false, title: 'Default: latest' },
  {
    name: 'env',
    label: 'Environment and ports',
    required: false,
    title: 'Docker flags: -e NAME=value -p 8080:8080',
  },
] as const;

type Texts = Record<(typeof texts)[number]['name'] | 'recommendedDiskGb' | 'description' | 'onstart', string>;

/** Creates or edits a template: only changed fields are sent. */
export function TemplateForm({ app, template, done, close }: Props) {
  const before: Texts = {
    name: template?.name ?? '',
    image: template?.image ?? '',
    tag: template?.tag ?? '',
    env: template?.env ?? '',
    description: template?.description ?? '',
    onstart: template?.onstart ?? '',
    recommendedDiskGb: String(template?.recommendedDiskGb ?? ''),
  };
  const [fields, setFields] = useState(before);
  const [isPrivate, setPrivate] = useState(template?.isPrivate ?? true);
  const action = useAction(app);
  const set = (name: keyof Texts, value: string) => setFields({ ...fields, [name]: value });

  async function save(): Promise<string> {
    const { recommendedDiskGb: disk, ...others } = fields;
    const changed = Object.entries(others).filter(([name, value]) => value !== before[name as keyof Texts]);
    const body = {
      ...Object.fromEntries(changed),
      ...(disk === before.recommendedDiskGb || disk.trim() === '' ? {} : { recommendedDiskGb: Number(disk) }),
      ...(isPrivate === template?.isPrivate ? {} : { isPrivate }),
      compressOnstart: true,
    };
    if (template === null) {
      await app.api.createTemplate({ body: { ...body, name: fields.name, image: fields.image } });
    } else await app.api.updateTemplate({ id: template.hashId ?? '', body });
    done();
    return template === null ? `${fields.name} created.` : `${fields.name} saved.`;
  }

  return (
    <section
      class="card"
      aria-label={template === null ? 'New template' : 'Edit template'}
      id="template-form"
    >
      <h2>{template === null ? 'New template' : `Edit ${template.name}`}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void action.run(save);
        }}
      >
        <div class="fields">
          {texts.map(({ name, label, required, title }) => (
            <label key={name} class="field" title={title}>
              <span>{label}</span>
              <input
                name={`template-${name}`}
                required={required}
                value={fields[name]}
                onInput={({ currentTarget }) => set(name, currentTarget.value)}
              />
            </label>
          ))}
          <label class="field narrow">
            <span>Disk, GB</span>
            <input
              name="template-disk"
              type="number"
              min={1}
              step="any"
              value={fields.recommendedDiskGb}
              onInput={({ currentTarget }) => set('recommendedDiskGb', currentTarget.value)}
            />
          </label>
          <Switch label="Private" name="template-private" on={isPrivate} change={setPrivate} />
        </div>
        {(['description', 'onstart'] as const).map((name) => (
          <label key={name} class="field long">
            <span>{name === 'onstart' ? 'Start script; compressed if too long' : 'Description'}</span>
            <textarea
              name={`template-${name}`}
              rows={name === 'onstart' ? 4 : 2}
              value={fields[name]}
              onInput={({ currentTarget }) => set(name, currentTarget.value)}
            />
          </label>
        ))}
        <p class="row">
          <button type="submit" class="primary" disabled={action.busy}>
            {template === null ? 'Create' : 'Save'}
          </button>
          <button type="button" onClick={close}>
            Close
          </button>
        </p>
        <Failure problem={action.problem} />
      </form>
    </section>
  );
}
