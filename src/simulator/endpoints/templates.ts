import type { Account } from '../account/account.ts';
import { templateSearchKinds } from '../account/templates.ts';
import { InvalidArgs } from '../invalid-args.ts';
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

/** Stored templates. Source: docs/marketplace.md#4-endpoints. */
export function templateRoutes(account: Account): Route[] {
  const { templates } = account;
  return [
    {
      endpoint: 'searchTemplates',
      method: 'GET',
      path,
      permission: 'user_read',
      answer({ query, faults }) {
        const filters = readPlainFilters(readSelection(query), templateSearchKinds);
        const found = faults.hide(
          templates.search({
            filters,
            columns: readColumns(query),
            orderBy: readOrderColumn(query),
          }),
        );
        return ok({ success: true, templates_found: found.length, templates: found });
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
        const hashId = required(optionalString, body, 'hash_id');
        return ok({ success: true, template: templates.edit(hashId, body) });
      },
    },
    {
      endpoint: 'deleteTemplate',
      method: 'DELETE',
      path,
      permission: 'user_write',
      answer({ text }) {
        templates.remove(required(optionalInteger, readJsonObject(text), 'template_id'));
        return ok({ success: true });
      },
    },
  ];
}

/** Throws a 400 `invalid_request` for a malformed body. Source: docs/marketplace.md#7-errors. */
function readSelection(query: URLSearchParams): JsonObject {
  try {
    return queryObject(query, 'select_filters') ?? {};
  } catch (error) {
    if (!(error instanceof InvalidArgs)) throw error;
    throw new Refusal(400, 'invalid_request', error.message);
  }
}

/** null: all columns. */
function readColumns(query: URLSearchParams): string[] | null {
  const columns = queryJson(query, 'select_cols');
  if (columns === null) return null;
  if (!Array.isArray(columns) || !columns.every((column) => typeof column === 'string')) {
    throw new InvalidArgs('select_cols must be a list of column names');
  }
  return columns.includes('*') ? null : columns;
}

function readOrderColumn(query: URLSearchParams): string | null {
  const column = query.get('order_by');
  if (column === null || column === '') return null;
  if (!Object.hasOwn(templateSearchKinds, column))
    throw new InvalidArgs(`order_by: unknown column ${column}`);
  return column;
}
