import { createHash } from 'node:crypto';
import { InvalidArgs } from '../invalid-args.ts';
import { comparePlain, type PlainFilter, type PlainKind, passes } from '../plain-comparison.ts';
import { Refusal } from '../refusal.ts';
import type { JsonObject } from '../request-body.ts';
import { type AccountState, ownerId, type TemplateState } from './account-state.ts';
import { publicTemplates } from './public-templates.ts';
import { readGivenFields, readNewTemplate } from './template-fields.ts';

/** The fields that templates can be searched by. Source: docs/marketplace.md#23-template. */
export const templateSearchKinds = {
  creator_id: 'number',
  created_at: 'number',
  count_created: 'number',
  default_tag: 'text',
  docker_login_repo: 'text',
  id: 'number',
  image: 'text',
  jup_direct: 'flag',
  hash_id: 'text',
  name: 'text',
  recent_create_date: 'number',
  recommended_disk_space: 'number',
  recommended: 'flag',
  ssh_direct: 'flag',
  tag: 'text',
  use_ssh: 'flag',
} as const satisfies Record<string, PlainKind>;

type TemplateRecord = Record<string, unknown>;

/** A search; `columns` null: all. */
interface TemplateSearch {
  filters: readonly PlainFilter[];
  columns: readonly string[] | null;
  orderBy: string | null;
}

export interface Templates {
  /** Returns the matching templates of the owner and the public, by `orderBy`, then id. */
  search(wanted: TemplateSearch): TemplateRecord[];
  /** Throws InvalidArgs. */
  create(body: JsonObject, atS: number): TemplateRecord;
  /** Changes the given fields; the template gets another `hash_id`. Throws a 404 unless it is the owner's. */
  edit(hashId: string, body: JsonObject): TemplateRecord;
  /** Throws a 404 unless it is the owner's. */
  remove(id: number): void;
  /** Returns the template with that hash, whoever owns it; null: none. */
  withHash(hashId: string): TemplateState | null;
}

/** The template store of an account. Source: docs/marketplace.md#23-template. */
export function createTemplates(state: AccountState, takeId: () => number): Templates {
  const all = (): TemplateState[] => [...state.templates, ...publicTemplates];
  const own = (is: (template: TemplateState) => boolean): TemplateState => {
    const found = state.templates.find(is);
    if (found === undefined) throw new Refusal(404, 'not_found', 'there is no such template of yours');
    return found;
  };
  return {
    search({ filters, columns, orderBy }) {
      const found = all()
        .map(templateRecord)
        .filter((record) => filters.every((filter) => passes(record[filter.field] ?? null, filter)));
      const ordered = orderBy === null ? found : sortBy(found, orderBy);
      return columns === null ? ordered : ordered.map((record) => pick(record, columns));
    },
    create(body, atS) {
      const fields = readNewTemplate(body);
      const template = {
        id: takeId(),
        hashId: '',
        creatorId: ownerId,
        revision: 0,
        createdS: atS,
        countCreated: 0,
        recentCreateS: null,
        recommended: false,
        fields,
      };
      template.hashId = hashOf(template);
      state.templates.push(template);
      return templateRecord(template);
    },
    edit(hashId, body) {
      const template = own((candidate) => candidate.hashId === hashId);
      const given = readGivenFields(body);
      template.fields = { ...template.fields, ...given };
      template.revision += 1;
      template.hashId = hashOf(template);
      return templateRecord(template);
    },
    remove(id) {
      const template = own((candidate) => candidate.id === id);
      state.templates.splice(state.templates.indexOf(template), 1);
    },
    withHash: (hashId) => all().find((template) => template.hashId === hashId) ?? null,
  };
}

/** Returns a template as served, without the registry's access token. */
function templateRecord(template: TemplateState): TemplateRecord {
  const { docker_login_pass: _pass, ...fields } = template.fields;
  return {
    id: template.id,
    hash_id: template.hashId,
    creator_id: template.creatorId,
    created_at: template.createdS,
    count_created: template.countCreated,
    recent_create_date: template.recentCreateS,
    recommended: template.recommended,
    default_tag: fields.tag,
    ...fields,
  };
}

/** Returns the hash of content, place and revision: equal templates differ, and an edit always changes it. */
function hashOf({ id, revision, fields }: TemplateState): string {
  return createHash('sha256')
    .update(JSON.stringify([id, revision, fields]))
    .digest('hex')
    .slice(0, 32);
}

function sortBy(records: readonly TemplateRecord[], column: string): TemplateRecord[] {
  return records.toSorted((a, b) => {
    const [left, right] = [a[column] ?? null, b[column] ?? null];
    if (left === null || right === null) {
      return Number(left === null) - Number(right === null) || Number(a.id) - Number(b.id);
    }
    return comparePlain(left, right) || Number(a.id) - Number(b.id);
  });
}

const always = ['id', 'name', 'image'];

function pick(record: TemplateRecord, columns: readonly string[]): TemplateRecord {
  for (const column of columns) {
    if (!Object.hasOwn(record, column)) throw new InvalidArgs(`unknown column ${JSON.stringify(column)}`);
  }
  return Object.fromEntries([...new Set([...always, ...columns])].map((column) => [column, record[column]]));
}
