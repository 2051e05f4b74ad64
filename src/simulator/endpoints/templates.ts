import type { Account } from '../account/account.ts';
import { templateSearchKinds } from '../account/templates.ts';
import { InvalidArgs } from '../invalid-args.ts';
import type { MutantSwitch } from '../mutant-switch.ts';
import { readPlainFilters } from '../plain-comparison.ts';
import { Refusal } from '../refusal.ts';
import {
  type JsonObject,
  optionalInteger,
  optionalString,
  queryJson,
  queryObject,
  readJsonObject,
  required,
} from '../request-body.ts';
import { ok, type Route } from './endpoint.ts';

const path = '/api/v0/template';

/** Stored templates: specification sections 4.8 to 4.11. */
export function templateRoutes(account: Account, mutants: MutantSwitch): Route[] {
  const { templates, state } = account;
  const readHash = (body: JsonObject): string => {
    if (!mutants.has('template-edit-hash-optional')) return required(optionalString, body, 'hash_id');
    const meant = state.templates.find(({ id }) => id === body.id) ?? state.templates.at(-1);
    return optionalString(body, 'hash_id') ?? meant?.hashId ?? '';
  };
  return [
    {
      endpoint: 'searchTemplates',
      method: 'GET',
      path,
      permission: 'user_read',
      answer({ query, faults }) {
        const filters = readPlainFilters(readSelection(query, mutants), templateSearchKinds);
        const found = faults.hide(
          templates.search({
            filters,
            columns: readColumns(query, mutants),
            orderBy: readOrderColumn(query),
          }),
        );
        const count = found.length + Number(mutants.has('templates-found-wrong'));
        return ok({ success: true, templates_found: count, templates: found });
      },
    },
    {
      endpoint: 'createTemplate',
      method: 'POST',
      path,
      permission: 'user_write',
      answer: ({ text, atS }) => ok({ success: true, template: templates.create(readJsonObject(text), atS) }),
    },
    {
      endpoint: 'editTemplate',
      method: 'PUT',
      path,
      permission: 'user_write',
      answer({ text }) {
        const body = readJsonObject(text);
        const hashId = readHash(body);
        const edited = templates.edit(hashId, body);
        const shown = mutants.has('template-edit-answers-old-hash') ? { ...edited, hash_id: hashId } : edited;
        return ok({ success: true, template: shown });
      },
    },
    {
      endpoint: 'deleteTemplate',
      method: 'DELETE',
      path,
      permission: 'user_write',
      answer({ text }) {
        const body = readJsonObject(text);
        const byHash = mutants.has('template-delete-by-hash')
          ? templates.withHash(String(body.template_id))
          : null;
        templates.remove(byHash?.id ?? required(optionalInteger, body, 'template_id'));
        return ok({ success: true });
      },
    },
  ];
}

/** Throws a 400 `invalid_request` for what is not JSON: the other of the two failures of section 7. */
function readSelection(query: URLSearchParams, mutants: MutantSwitch): JsonObject {
  try {
    const selection = queryObject(query, 'select_filters') ?? {};
    if (mutants.has('template-selection-ignored')) return {};
    if (!mutants.has('template-search-unknown-field-ignored')) return selection;
    return Object.fromEntries(
      Object.entries(selection).filter(([field]) => Object.hasOwn(templateSearchKinds, field)),
    );
  } catch (error) {
    if (!(error instanceof InvalidArgs)) throw error;
    throw new Refusal(400, 'invalid_request', error.message);
  }
}

/** null: all columns. */
function readColumns(query: URLSearchParams, mutants: MutantSwitch): string[] | null {
  const columns = queryJson(query, 'select_cols');
  if (columns === null) return null;
  if (!Array.isArray(columns) || !columns.every((column) => typeof column === 'string')) {
    throw new InvalidArgs('select_cols must be a list of column names');
  }
  if (!columns.includes('*')) return columns;
  return mutants.has('template-star-ignored') ? [] : null;
}

function readOrderColumn(query: URLSearchParams): string | null {
  const column = query.get('order_by');
  if (column === null || column === '') return null;
  if (!Object.hasOwn(templateSearchKinds, column))
    throw new InvalidArgs(`order_by: unknown column ${column}`);
  return column;
}
