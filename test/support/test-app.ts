import { uuidv7 } from 'uuidv7';
import { expect } from 'vitest';
import { importFile } from '../../src/books/import/import-books.ts';
import { ensureMarket, type Market, type MarketKind } from '../../src/books/markets.sql.ts';
import type { ApiApp } from '../../src/core/http/api-app.ts';
import type { Role } from '../../src/core/http/credential.ts';
import type { ProblemAnswer } from '../../src/core/http/problem.ts';
import type { DatabaseTarget, Sql } from '../../src/database/connection.ts';
import { pointStatistics } from '../../src/prices/statistics/point-statistics.ts';
import { loadConfig } from '../../src/service/config.ts';
import type { AppDeps } from '../../src/service/http/api-deps.ts';
import { createApp } from '../../src/service/http/app.ts';
import { openNotify } from '../../src/service/notify-access.ts';
import { createToken } from '../../src/service/sign-in/credentials.sql.ts';
import { requireDescribed } from './documented-answers.ts';
import { createTestDatabase } from './test-database.ts';

/** One line of the app's log. */
export interface LogLine {
  level: string;
  fields: object;
  message: string;
}

export interface TestApp {
  sql: Sql;
  /** Its database, for commands. */
  target: DatabaseTarget;
  app: ApiApp;
  market: Market;
  log: LogLine[];
  /** The app's clock; may be changed. */
  clock: { now: Date };
  tokens: Record<Role, string>;
  /** A GET as the viewer, or as another role. */
  get: (path: string, role?: Role) => Promise<Response>;
  /** The JSON of a GET that succeeds. */
  json: <Answer>(path: string) => Promise<Answer>;
  /** The problem details of a GET that fails with this status. */
  problem: (path: string, status: number) => Promise<ProblemAnswer>;
}

/** The app on a database of its own, with one market and a token a role. What it answers is as described. */
export async function createTestApp(
  overrides: Partial<AppDeps> = {},
  kind: MarketKind = 'recorded',
): Promise<TestApp> {
  const { sql, target } = await createTestDatabase();
  const market = await ensureMarket(sql, 'test-market', kind);
  const clock = { now: new Date('2026-07-31T02:00:00Z') };
  const log: LogLine[] = [];
  const notify = await openNotify(
    loadConfig({ SECRETS_KEY: 'a key of the tests', WEBHOOK_ALLOW_PRIVATE: 'on' }),
    () => clock.now,
    { sql, mayMakeKey: async () => false },
  );
  const write = (level: string) => (fields: object, message: string) =>
    void log.push({ level, fields, message });
  const app = createApp({
    sql,
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    now: () => clock.now,
    publicUrl: 'http://offerbook.test',
    version: '0.0.0-test',
    defaultMarket: async () => market,
    mode: async () => 'replay',
    seeding: () => null,
    crawlNow: async () => ({ crawlIds: [] }),
    notify: async () => notify,
    deliver: async () => {},
    maxDataAgeMinutes: 180,
    actionsEnabled: false,
    webRoot: null,
    ...overrides,
  });
  const answer = app.request;
  app.request = async (input, init, ...others) => {
    const response = await answer(input, init, ...others);
    const [method, address] = input instanceof Request ? [input.method, input.url] : [init?.method, input];
    await requireDescribed((method ?? 'GET').toUpperCase(), String(address), response);
    return response;
  };
  const token = async (role: Role) => (await createToken(sql, { name: `${role} of the test`, role })).token;
  const tokens = {
    viewer: await token('viewer'),
    operator: await token('operator'),
    admin: await token('admin'),
    feed: await token('feed'),
  };
  const get = async (path: string, role: Role = 'viewer') =>
    await app.request(path, { headers: { authorization: `Bearer ${tokens[role]}` } });
  const json = async <Answer>(path: string): Promise<Answer> => {
    const response = await get(path);
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const problem = async (path: string, status: number) => await readProblem(await get(path), status);
  return { sql, target, app, market, log, clock, tokens, get, json, problem };
}

/** Lands recorded files in the app's market, or in another. */
export async function landFiles(
  { sql, market }: Pick<TestApp, 'sql' | 'market'>,
  files: readonly string[],
  options: { coverage?: 'complete' | 'partial'; observedAt?: Date } = {},
): Promise<void> {
  const common = {
    marketId: market.id,
    allocatedStorageGb: 8,
    statistics: pointStatistics,
    now: () => new Date(),
    newId: uuidv7,
  };
  for (const file of files) {
    for await (const _ of importFile(sql, file, { ...common, ...options })) {
      // Each book is stored when its turn comes.
    }
  }
}

/** The problem details of an answer; fails when it is anything else, or of another status. */
export async function readProblem(response: Response, status: number): Promise<ProblemAnswer> {
  const text = await response.text();
  expect([response.status, response.headers.get('content-type')], text).toEqual([
    status,
    'application/problem+json',
  ]);
  const problem = JSON.parse(text) as ProblemAnswer;
  expect(Object.keys(problem).sort()).toEqual(['detail', 'errors', 'status', 'title', 'traceId', 'type']);
  expect(problem.status).toBe(status);
  return problem;
}
