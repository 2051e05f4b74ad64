import { createRequire } from 'node:module';

// Imports Drizzle's CommonJS files: for its ES modules Node reads the package description (179 kB) again and again,
// which costs every command 0.45 s and 120 MB.
const require = createRequire(import.meta.url);
const core = require('drizzle-orm') as typeof import('drizzle-orm');
const postgres = require('drizzle-orm/pg-core') as typeof import('drizzle-orm/pg-core');
const proxy = require('drizzle-orm/pg-proxy') as typeof import('drizzle-orm/pg-proxy');

export type { SQL } from 'drizzle-orm';
export type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
export type { PgRemoteDatabase } from 'drizzle-orm/pg-proxy';
export const {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  getTableName,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
} = core;
export const { sql } = core;
export const {
  bigint,
  boolean,
  check,
  customType,
  date,
  doublePrecision,
  foreignKey,
  index,
  integer,
  numeric,
} = postgres;
export const { pgEnum, pgTable, primaryKey, smallint, text, timestamp, unique, uuid } = postgres;
export const { drizzle } = proxy;
