import { z } from 'zod';
import { listedStorageGb } from '../../core/price.ts';
import type { CsvReader } from '../offer-reading.ts';
import { csvLayouts } from './csv-layouts.ts';
import { recordSchema } from './offer-record.ts';

const hoursPerMonth = 720;
/** Of the prices, only the listed one is required: the others follow from it. */
const required = ['id', 'machine_id', 'gpu_name', 'num_gpus', 'dph_total'];

/** Reads rows of CSV files, whose cells are text, as records of a search response. */
export const csvReader: CsvReader = {
  fields: Object.keys(recordSchema.shape),
  required,
  layouts: csvLayouts,
  toRecord: (cells) => {
    const record: Record<string, unknown> = {};
    for (const [name, text] of Object.entries(cells)) {
      // An empty cell is an unknown value.
      if (text === '') continue;
      record[name] = name in recordSchema.shape ? valueOfCell(name as FieldName, text) : otherValue(text);
    }
    return withPrices(record);
  },
};

type FieldName = keyof typeof recordSchema.shape;

const flags: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

/** The value of a cell; text that is no such value stays, and is rejected for what it is. */
function valueOfCell(name: FieldName, text: string): unknown {
  let type: z.ZodType = recordSchema.shape[name];
  while (type instanceof z.ZodCatch || type instanceof z.ZodOptional || type instanceof z.ZodNullable)
    type = type.unwrap() as z.ZodType;
  if (type instanceof z.ZodNumber)
    return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
  if (type instanceof z.ZodBoolean) return flags[text.trim().toLowerCase()] ?? text;
  if (type instanceof z.ZodArray) return listOf(text);
  return text;
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The value of a cell of another column, as a search response would most likely have it. */
function otherValue(text: string): unknown {
  const number = jsonNumber.test(text) ? Number(text) : null;
  if (number === null) return text === 'true' || text === 'false' ? text === 'true' : text;
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number;
}

function listOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Completes the prices by `dph_total = dph_base + storage_cost × 8 / 720`. Without both, the listed price is the base and
 * storage costs nothing more: right for the storage that it was listed with.
 */
function withPrices(record: Record<string, unknown>): Record<string, unknown> {
  const { dph_total: total, dph_base: base, storage_cost: storage } = record;
  if (typeof total !== 'number') return record;
  const share = listedStorageGb / hoursPerMonth;
  if (base === undefined) {
    record.storage_cost = storage ?? 0;
    record.dph_base = Math.max(0, total - (typeof storage === 'number' ? storage : 0) * share);
  } else if (storage === undefined && typeof base === 'number') {
    record.storage_cost = Math.max(0, total - base) / share;
  }
  return record;
}
