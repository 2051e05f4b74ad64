/**
 * Templates: search, create, edit, delete. Source: docs/marketplace.md#4-endpoints.
 * Auth: search the reading key (`user_read`), the others the acting key (`user_write`).
 * Rate limit: `minIntervalSeconds.templates` for all four together (the throttled answer names 3.0).
 * Quirks: creating instances and editing go by `hash_id`, which changes at every edit, deleting by the numeric
 *   `id`; search parameters are JSON text; the registry fields are required and may be empty.
 * Trust: a new or edited template is one only where the answer has its `hash_id`; the registry's password is
 *   dropped from every record; a record without id, name and image is rejected and counted.
 */

import type { MarketFilters } from '../../core/market-filter.ts';
import type { RejectedRow } from '../instance.ts';
import type { Template, TemplateDraft } from '../template.ts';
import type { JsonObject } from '../wire/answer.ts';
import { idFrom, textOf } from '../wire/record-fields.ts';
import { brokenContract, isRecord, readRows, rowsUnder } from '../wire/record-rows.ts';
import { type CallOptions, type Engines, sendAct } from './call.ts';
import { findHashProblem, isId } from './create-request.ts';
import type { Dialect } from './dialect.ts';
import { templateFields } from './filter-fields.ts';
import { findFilterProblems, refuse } from './filter-rules.ts';
import { readTemplateRecord } from './template-record.ts';
import { findTemplateProblems, secretsOf, toNewTemplate, toTemplateFields } from './template-request.ts';

/** Which templates to find: the account's own and public ones. */
export interface TemplateQuery {
  /** By the market's field names, `{ name: { eq: 'x' } }`. */
  filters?: MarketFilters | undefined;
  /** Left out: all; otherwise `id`, `name` and `image` are asked for too. */
  columns?: readonly string[] | undefined;
  /** The market's name of a column. */
  orderBy?: string | undefined;
}

/** Templates found. */
export interface TemplateList {
  templates: Template[];
  rejected: RejectedRow[];
  /** `templates_found`; null: not said. */
  found: number | null;
  replacedCharacters: number;
}

/** The calls about templates. All throw MarketError; wrong arguments are a UserError before anything is sent. */
export interface TemplateCalls {
  searchTemplates: (query?: TemplateQuery, options?: CallOptions) => Promise<TemplateList>;
  createTemplate: (
    draft: TemplateDraft,
    options?: CallOptions,
  ) => Promise<{ templateId: number; hashId: string }>;
  /** Changes the given fields alone; the template then has the new hash of the answer. */
  editTemplate: (
    hashId: string,
    changes: Partial<TemplateDraft>,
    options?: CallOptions,
  ) => Promise<{ hashId: string }>;
  /** By the numeric id, not the hash. */
  deleteTemplate: (templateId: number, options?: CallOptions) => Promise<void>;
}

/** The template calls over `engines`. */
export function createTemplateCalls(engines: Engines, dialect: Dialect): TemplateCalls {
  const { searchPath, path, columnsParameter, orderParameter } = dialect.templates;
  const endpoint = 'templates';

  async function write(
    method: 'POST' | 'PUT',
    body: unknown,
    secrets: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<{ template: JsonObject; hashId: string }> {
    const { json } = await engines.act.send(
      { endpoint, method, path, body, secrets, repeat: 'unsent' },
      signal,
    );
    const template = isRecord(json.template) ? json.template : {};
    const hashId = textOf(template.hash_id);
    if (hashId === null) throw brokenContract(`${method} ${path}`, "without the template's `hash_id`");
    return { template, hashId };
  }

  return {
    async searchTemplates({ filters = {}, columns, orderBy } = {}, { signal } = {}) {
      refuse([
        ...findFilterProblems(filters, templateFields),
        ...(orderBy === undefined || /^\w+$/.test(orderBy)
          ? []
          : [`order "${orderBy}": give a column's name`]),
      ]);
      const wanted = columns === undefined ? ['*'] : [...new Set(['id', 'name', 'image', ...columns])];
      const query = {
        select_filters: JSON.stringify(filters),
        [columnsParameter]: JSON.stringify(wanted),
        ...(orderBy === undefined ? {} : { [orderParameter]: orderBy }),
      };
      const request = {
        endpoint,
        method: 'GET',
        path: searchPath,
        query,
        listKey: 'templates',
        repeat: 'always',
      } as const;
      const { json, replacedCharacters } = await engines.read.send(request, signal);
      const rows = rowsUnder(json, 'templates', `GET ${searchPath}`);
      const { items, ...read } = await readRows(rows, readTemplateRecord);
      return {
        templates: items,
        rejected: read.rejected,
        found: idFrom(json.templates_found),
        replacedCharacters: replacedCharacters + read.replacedCharacters,
      };
    },
    async createTemplate(draft, { signal } = {}) {
      refuse(findTemplateProblems({ ...draft, name: draft.name ?? '', image: draft.image ?? '' }, dialect));
      const { template, hashId } = await write('POST', toNewTemplate(draft), secretsOf(draft), signal);
      const templateId = idFrom(template.id);
      if (templateId === null) throw brokenContract(`POST ${path}`, "without the template's `id`");
      return { templateId, hashId };
    },
    async editTemplate(hashId, changes, { signal } = {}) {
      const hashProblem = findHashProblem(hashId);
      const fields = toTemplateFields(changes);
      refuse([
        ...(hashProblem === null ? [] : [hashProblem]),
        ...(Object.keys(fields).length === 0 ? ['the edit changes nothing: give at least one field'] : []),
        ...findTemplateProblems(changes, dialect),
      ]);
      const edited = await write('PUT', { hash_id: hashId, ...fields }, secretsOf(changes), signal);
      return { hashId: edited.hashId };
    },
    async deleteTemplate(templateId, { signal } = {}) {
      refuse(isId(templateId) ? [] : [`template ${templateId}: deleting needs the numeric id, not the hash`]);
      await sendAct(engines.act, endpoint, 'DELETE', path, { template_id: templateId }, signal);
    },
  };
}
