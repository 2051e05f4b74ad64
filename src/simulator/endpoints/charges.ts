import type { Account } from '../account/account.ts';
import type { Charge } from '../account/charges.ts';
import { usdNumber } from '../account/exact-usd.ts';
import { InvalidArgs } from '../invalid-args.ts';
import { cutPage } from '../paging.ts';
import { isJsonObject, type JsonObject, queryFlag, queryInteger, queryObject } from '../request-body.ts';
import { ok, type Route } from './endpoint.ts';

const defaultLimit = 100;
const maxLimit = 500;
const dayS = 86_400;
const chargeTypes = ['instance', 'volume', 'serverless'];

/**
 * Charges of instances and volumes, one row per thing and UTC day. A public extension.
 * Source: docs/marketplace.md#413-list-charges.
 */
export function chargeRoutes(account: Account, secret: string): Route[] {
  return [
    {
      endpoint: 'listCharges',
      method: 'GET',
      path: '/api/v0/charges',
      permission: 'billing_read',
      answer({ query, atS, faults }) {
        const { fromS, toS, types } = readSelection(queryObject(query, 'select_filters') ?? {});
        const latestFirst = queryFlag(query, 'latest_first') ?? true;
        const limit = queryInteger(query, 'limit', 1) ?? defaultLimit;
        if (limit > maxLimit) throw new InvalidArgs(`limit must be ${maxLimit} or less`);
        const found = account
          .chargesAt(atS)
          .filter(({ startS, type }) => startS >= fromS && startS <= toS && types.includes(type));
        const page = cutPage({
          items: latestFirst ? found.reverse() : found,
          keyOf: ({ startS, source }) => `${startS} ${source}`,
          limit,
          token: query.get('after_token') ?? query.get('next_token'),
          question: JSON.stringify([fromS, toS, types, latestFirst]),
          secret,
          shifting: faults.has('shifting-pages'),
        });
        return ok({
          success: true,
          count: page.items.length,
          total: found.length,
          next_token: page.nextToken,
          results: page.items.map(chargeRecord),
        });
      },
    },
  ];
}

/** Days are whole: `gte` starts at its midnight, `lte` ends with its day. */
function readSelection(filters: JsonObject): { fromS: number; toS: number; types: readonly unknown[] } {
  const day = isJsonObject(filters.day) ? filters.day : {};
  const fromDay = Math.floor(readMoment(day.gte, 'gte') / dayS);
  const toDay = Math.floor(readMoment(day.lte, 'lte') / dayS);
  if (fromDay > toDay) throw new InvalidArgs('day: gte is after lte');
  return { fromS: fromDay * dayS, toS: (toDay + 1) * dayS - 1, types: readTypes(filters.type) };
}

function readMoment(value: unknown, operator: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const atMs = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(atMs)) throw new InvalidArgs(`day: ${operator} is required, as unix seconds`);
  return atMs / 1000;
}

function readTypes(filter: unknown): readonly unknown[] {
  if (filter === undefined) return chargeTypes;
  const types: unknown = isJsonObject(filter) ? (filter.in ?? [filter.eq]) : null;
  if (!Array.isArray(types) || !types.every((type) => chargeTypes.includes(String(type)))) {
    throw new InvalidArgs(`type: use {in: [${chargeTypes.join(', ')}]}`);
  }
  return types;
}

function chargeRecord(charge: Charge): Record<string, unknown> {
  const { startS, endS, type, source, description, microUsd, metadata, items } = charge;
  return {
    start: startS,
    end: endS,
    type,
    source,
    description,
    amount: usdNumber(microUsd),
    metadata,
    items: items.map((item) => ({
      type: item.type,
      description: item.description,
      amount: usdNumber(item.microUsd),
    })),
  };
}
