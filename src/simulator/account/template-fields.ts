import { InvalidArgs } from '../invalid-args.ts';
import { isJsonObject, type JsonObject } from '../request-body.ts';
import { parseEnvFlags } from './template-env.ts';

type TemplateFieldKind = 'string' | 'boolean' | 'number' | 'object';

interface TemplateField {
  kind: TemplateFieldKind;
  required?: boolean;
  /** Value of an omitted field. @default null */
  default?: unknown;
}

/** The fields of a template that its creator sets. Source: docs/marketplace.md#23-template. */
export const templateFields = {
  name: { kind: 'string', required: true },
  image: { kind: 'string', required: true },
  tag: { kind: 'string', default: 'latest' },
  desc: { kind: 'string' },
  readme: { kind: 'string' },
  env: { kind: 'string' },
  onstart: { kind: 'string' },
  runtype: { kind: 'string', default: 'args' },
  args_str: { kind: 'string' },
  ssh_direct: { kind: 'boolean', default: false },
  use_ssh: { kind: 'boolean', default: false },
  jup_direct: { kind: 'boolean', default: false },
  jupyter_dir: { kind: 'string' },
  use_jupyter_lab: { kind: 'boolean', default: false },
  docker_login_repo: { kind: 'string', required: true },
  docker_login_user: { kind: 'string', required: true },
  docker_login_pass: { kind: 'string', required: true },
  href: { kind: 'string' },
  repo: { kind: 'string' },
  extra_filters: { kind: 'object' },
  recommended_disk_space: { kind: 'number', default: 8 },
  private: { kind: 'boolean', default: false },
  volume_info: { kind: 'object' },
} as const satisfies Record<string, TemplateField>;

export type TemplateFieldName = keyof typeof templateFields;
export const templateFieldNames = Object.keys(templateFields) as TemplateFieldName[];

/** Maximum length of start scripts, in characters. Source: docs/marketplace.md#8-limits. */
const maxOnstartLength = 4048;
const runtypes = ['ssh', 'jupyter', 'args', 'ssh_direc', 'ssh_proxy', 'jupyter_direc', 'jupyter_proxy'];
const maybeEmpty: readonly string[] = ['docker_login_repo', 'docker_login_user', 'docker_login_pass'];

/** Returns the fields of a new template with defaults. Throws InvalidArgs that names the first wrong one. */
export function readNewTemplate(body: JsonObject): Record<string, unknown> {
  const fields = readGivenFields(body);
  for (const name of templateFieldNames) {
    const field: TemplateField = templateFields[name];
    if (fields[name] !== undefined && fields[name] !== null) continue;
    if (field.required === true) {
      throw new InvalidArgs(
        `${name} is required${maybeEmpty.includes(name) ? ', as an empty string if unused' : ''}`,
      );
    }
    fields[name] = field.default ?? null;
  }
  return fields;
}

/** Returns the known fields of a body, checked; others are ignored. Throws InvalidArgs. */
export function readGivenFields(body: JsonObject): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of templateFieldNames) {
    if (!Object.hasOwn(body, name)) continue;
    const value = body[name];
    fields[name] = value === null ? value : readField(name, value);
    if (value === null && 'required' in templateFields[name]) throw new InvalidArgs(`${name} cannot be null`);
  }
  if (typeof fields.onstart === 'string') checkOnstart(fields.onstart);
  return fields;
}

/** Throws InvalidArgs for a start script that is too long. */
export function checkOnstart(onstart: string): void {
  const characters = [...onstart].length;
  if (characters > maxOnstartLength) {
    throw new InvalidArgs(`onstart has ${characters} characters; at most ${maxOnstartLength} are allowed`);
  }
}

/** Throws InvalidArgs for an unknown run type; accepts several words of the public clients. */
export function checkRuntype(runtype: string): void {
  const words = runtype.split(' ');
  if (words.every((word) => runtypes.includes(word))) return;
  throw new InvalidArgs(`runtype must be ssh, jupyter or args, not ${JSON.stringify(runtype)}`);
}

function readField(name: TemplateFieldName, value: unknown): unknown {
  const { kind }: TemplateField = templateFields[name];
  if (kind === 'object') return readObject(name, value);
  const matches =
    kind === 'number' ? typeof value === 'number' && Number.isFinite(value) : typeof value === kind;
  if (!matches) throw new InvalidArgs(`${name} must be a ${kind}`);
  if ((name === 'name' || name === 'image') && value === '')
    throw new InvalidArgs(`${name} must not be empty`);
  if (name === 'recommended_disk_space' && Number(value) <= 0)
    throw new InvalidArgs(`${name} must be above 0`);
  if (name === 'runtype') checkRuntype(String(value));
  if (name === 'env') parseEnvFlags(String(value));
  return value;
}

/** `extra_filters` may come as JSON text: public clients send it so. */
function readObject(name: TemplateFieldName, value: unknown): JsonObject {
  let object = value;
  if (name === 'extra_filters' && typeof value === 'string') {
    try {
      object = JSON.parse(value) as unknown;
    } catch {
      throw new InvalidArgs(`${name} is not valid JSON`);
    }
  }
  if (!isJsonObject(object)) throw new InvalidArgs(`${name} must be an object`);
  if (name === 'extra_filters') checkExtraFilters(object);
  return object;
}

/** Throws InvalidArgs for anything but `{field: {operator: value}}`. */
export function checkExtraFilters(filters: JsonObject): void {
  for (const [field, comparison] of Object.entries(filters)) {
    if (!isJsonObject(comparison)) throw new InvalidArgs(`extra_filters: ${field} must be {operator: value}`);
  }
}
