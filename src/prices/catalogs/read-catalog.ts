import { hash } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { UserError } from '../../core/errors.ts';
import { isStorableLine } from '../../core/storable-text.ts';
import type { CatalogGpu } from './catalog-gpu.ts';
import { readCsvRows } from './csv-rows.ts';
import { gpuFormOf } from './gpu-form.ts';

/** What a list price is for. */
export interface CatalogKind extends CatalogGpu {
  /** As spelled in the catalog; may be empty. */
  region: string;
  numGpus: number;
  /** `bid` is the spot price. */
  type: 'on-demand' | 'bid';
}

/** The list price of the cheapest machine of its kind. */
export interface CatalogPrice extends CatalogKind {
  /** US dollars for the whole machine, exact decimal text without trailing zeros. */
  usdPerHour: string;
}

/** The prices of a catalog at one moment. */
export interface Catalog {
  prices: CatalogPrice[];
  /** Rows of the file, without its header. */
  rows: number;
  /** Rows without a usable price, by reason. */
  leftOut: Record<string, number>;
  /** SHA-256 of the prices in hex, independent of their order. */
  contentHash: string;
}

const required = ['AcceleratorName', 'AcceleratorCount', 'Price'] as const;
const priceText = /^\d{1,9}(\.\d{1,30})?([eE]-?\d{1,2})?$/;
const maxNameLength = 200;
/** Ten times the largest catalog that is known. */
const maxPrices = 100_000;

/** Identifies a kind of list price. */
export const kindKey = ({ name, form, region, numGpus, type }: CatalogKind): string =>
  JSON.stringify([name, form, region, numGpus, type]);

/**
 * Reads prices from the CSV format of the SkyPilot catalogs, and counts rows that cannot be compared by reason. Throws
 * UserError, with `file` and line, for any other format. Source: docs/meaning.md#other-sellers-list-prices.
 */
export function readCatalog(file: string, text: string): Catalog {
  const refuse = (reason: string): UserError => new UserError(`${file} is not a catalog: ${reason}.`);
  const [head, ...rows] = readCsvRows(text) ?? [];
  if (head === undefined) throw refuse(text.trim() === '' ? 'it is empty' : 'a quote in it is never closed');
  const columns = new Map(head.fields.map((name, place) => [name.trim(), place]));
  const missing = required.filter((name) => !columns.has(name));
  if (missing.length > 0) throw refuse(`its first line lacks the column ${missing.join(', ')}`);
  const cheapest = new Map<string, CatalogPrice>();
  const leftOut: Record<string, number> = {};
  for (const { line, fields } of rows) {
    if (fields.length !== head.fields.length)
      throw refuse(`line ${line} has ${fields.length} fields, its head ${head.fields.length}`);
    const cell = (name: string): string | null => {
      const place = columns.get(name);
      return place === undefined ? null : (fields[place] ?? '').trim();
    };
    const found = readRow(cell, (reason) => refuse(`line ${line}: ${reason}`));
    if (typeof found === 'string') {
      leftOut[found] = (leftOut[found] ?? 0) + 1;
      continue;
    }
    for (const price of found) {
      const known = cheapest.get(kindKey(price));
      if (known === undefined || new Decimal(price.usdPerHour).lt(known.usdPerHour))
        cheapest.set(kindKey(price), price);
    }
  }
  if (cheapest.size > maxPrices)
    throw refuse(
      `it has more than ${maxPrices.toLocaleString('en-US')} prices; keep the rows with GPUs that you compare`,
    );
  if (cheapest.size === 0) throw refuse('it has no price of a machine with GPUs');
  const keys = [...cheapest.keys()].sort();
  const prices = keys.flatMap((key) => cheapest.get(key) ?? []);
  const content = JSON.stringify(keys.map((key) => [key, cheapest.get(key)?.usdPerHour]));
  return { prices, rows: rows.length, leftOut, contentHash: hash('sha256', content) };
}

/** Returns the prices of a row, or why it has none that can be compared. */
function readRow(
  cell: (name: string) => string | null,
  refuse: (reason: string) => UserError,
): CatalogPrice[] | string {
  const name = cell('AcceleratorName') ?? '';
  const count = cell('AcceleratorCount') ?? '';
  if (count !== '' && !/^\d{1,5}(\.\d{1,10})?$/.test(count))
    throw refuse(`AcceleratorCount "${shown(count)}" is not a number`);
  const prices = (['Price', 'SpotPrice'] as const).map((column) => {
    const value = cell(column) ?? '';
    if (value !== '' && !priceText.test(value)) throw refuse(`${column} "${shown(value)}" is not a number`);
    const usd = new Decimal(value === '' ? 0 : value);
    return usd.isZero() ? null : usd.toFixed();
  });
  const numGpus = Number(count);
  if (name === '' || numGpus === 0) return 'no GPU';
  if (!Number.isInteger(numGpus)) return 'a part of a GPU';
  if (numGpus > 1_000) throw refuse(`AcceleratorCount ${numGpus} is too large`);
  const instanceType = cell('InstanceType');
  if (instanceType === '') return 'the price of a GPU without its machine';
  const currency = cell('Currency') ?? '';
  if (currency !== '' && currency.toUpperCase() !== 'USD') return `prices in ${shown(currency)}`;
  if (prices.every((price) => price === null)) return 'no price';
  const region = cell('Region') ?? '';
  for (const text of [name, region]) {
    if (text.length > maxNameLength || !isStorableLine(text)) throw refuse('a name in it cannot be stored');
  }
  const described = [...(cell('GpuInfo') ?? '').matchAll(/["']Name["']\s*:\s*["']([^"']*)["']/g)];
  const form = gpuFormOf(instanceType ?? '', name, ...described.map(([, text]) => text ?? '')) ?? '';
  return (['on-demand', 'bid'] as const).flatMap((type, place) => {
    const usdPerHour = prices[place] ?? null;
    return usdPerHour === null ? [] : [{ name, form, region, numGpus, type, usdPerHour }];
  });
}

const shown = (text: string): string => text.slice(0, 40);
