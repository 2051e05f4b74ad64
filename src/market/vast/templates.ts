/**
 * Templates: search, create, edit, delete. Source: docs/marketplace.md#4-endpoints.
 * Auth: the reading key (`user_read`) for search, the acting key (`user_write`) for the others. Rate limit:
 * `minIntervalSeconds.templates` for all four together (the throttled response names 3.0).
 * Quirks: creating instances and editing use `hash_id`, which changes with every edit, deleting uses the numeric `id`;
 * search parameters are JSON text; the registry fields are required and may be empty.
 * Trust: a template counts as created or edited only if the response has its `hash_id`; the registry's password is
 * dropped from every record; a record without id, name and image is rejected and counted.
 */

import type { TemplateCalls } from '../template.ts';
import type { JsonObject } from '../wire/answer.ts';
import { idFrom, textOf } from '../wire/record-fields.ts';
import { brokenContract, isRecord, readRows, rowsUnder } from '../wire/record-rows.ts';
import { type Engines, sendAct } from './call.ts';
import { findHashProblem, isId } from './create-request.ts';
import type { Dialect } from './dialect.ts';
import { templateFields } from './filter-fields.ts';
import { findFilterProblems, refuse } from './filter-rules.ts';
import { readTemplateRecord } from './template-record.ts';
import { findTemplateProblems, secretsOf, toNewTemplate, toTemplateFields } from './template-request.ts';

/** Creates the template calls over `engines`. */
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
    async searchTemplates({ hashId, filters: given = {}, columns, orderBy } = {}, { signal } = {}) {
      const filters = hashId === undefined ? given : { ...given, hash_id: { eq: hashId } };
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
