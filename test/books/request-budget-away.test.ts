import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { serversOn } from '../../prove/cluster-processes.ts';
import { createRequestBudget, readRequestBudgets } from '../../src/books/budget/request-budget.sql.ts';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { connect } from '../../src/database/connection.ts';
import { openEmbedded } from '../../src/database/embedded/supervisor.ts';
import { migrate } from '../../src/database/migrate.ts';
import { makeSandbox, type Sandbox, silent, until } from '../database/embedded/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await makeSandbox();
});
afterAll(() => sandbox.remove());

it('without the database no process gets a permit; all continue when it is back, and this is logged once', async () => {
  const place = { dataDir: sandbox.dataDir('main'), stateDir: sandbox.stateDir };
  const server = await openEmbedded({ ...place, log: silent });
  onTestFinished(() => server.close());
  const { socketDir, port, user, database } = server;
  const sql = connect({ socketDir, port, user, database });
  await migrate(sql);
  const { id: marketId } = await ensureMarket(sql, 'market', 'live');
  const lines: string[] = [];
  const log = { ...silent, warn: (_: object, line: string) => lines.push(line) };
  const limits = { searchOffers: [{ count: 20, windowMs: 60_000 }] };
  const budget = createRequestBudget({ db: sql, marketId, limits, log }).as('crawl');
  await budget.awaitTurn('searchOffers');

  const [pid] = await serversOn(server.clusterDir);
  if (pid === undefined) throw new Error('no server');
  process.kill(pid, 'SIGKILL');
  await until(async () => (await serversOn(server.clusterDir)).length === 0);
  const reason = new Error('stopping');
  const controller = new AbortController();
  let turns = 0;
  const waiting = [1, 2, 3].map(() =>
    budget.awaitTurn('searchOffers').then(() => {
      turns += 1;
    }),
  );
  const leaving = budget.awaitTurn('searchOffers', controller.signal);
  budget.noteThrottled('searchOffers');
  setTimeout(() => controller.abort(reason), 1_500);
  await expect(leaving).rejects.toBe(reason);
  expect(turns).toBe(0);
  expect(lines).toEqual(['the request budget is unavailable: no requests until it is back']);

  await server.ensureRunning();
  await Promise.all(waiting);
  const [state] = await readRequestBudgets(sql, marketId);
  // A grant whose answer was lost with the connection is spent.
  expect(state?.granted).toBeGreaterThanOrEqual(4);
  expect(lines).toHaveLength(1);
  // A wrong statement, as opposed to a missing server, is an error at once.
  await sql`alter table request_grant rename to elsewhere`;
  await expect(budget.awaitTurn('searchOffers')).rejects.toThrow('request_grant');
  await sql.end({ timeout: 1 });
  // Its own pool does not come back: that is an error, not a wait.
  await expect(budget.awaitTurn('searchOffers')).rejects.toThrow('CONNECTION_ENDED');
});
