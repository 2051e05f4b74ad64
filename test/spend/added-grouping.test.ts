import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { Sql } from '../../src/database/connection.ts';
import type { ServiceContext } from '../../src/service/service-context.ts';
import { copyWithLine } from '../support/copy-with-line.ts';
import { landBills, makeCharge, makeInvoice } from '../support/made-bills.ts';
import { createTestDatabase } from '../support/test-database.ts';

describe('a new line in the table of groupings', () => {
  const { load, remove } = copyWithLine(
    'src/spend/spend-grouping.ts',
    'export const groupings = {\n',
    [
      "  invoiceId: { column: 'invoice_id', label: 'invoice' },",
      "  host: { ofInstance: 'host_id', label: 'host' },",
    ].join('\n'),
  );
  const range = { from: new Date('2026-03-01'), to: new Date('2026-04-01'), asOf: new Date('2026-04-02') };
  let sql: Sql;
  let marketId: number;

  beforeAll(async () => {
    ({ sql } = await createTestDatabase());
    marketId = (await ensureMarket(sql, 'grouped', 'live')).id;
    const charge = { start: '2026-03-03T00:00:00Z', end: '2026-03-03T10:00:00Z', amountUsd: '1.5' };
    const invoice = { start: '2026-03-02T00:00:00Z', amountUsd: '-20' };
    await sql`insert into instance (market_id, instance_id, first_seen_at, last_seen_at, host_id, raw)
      values (${marketId}, 1, '2026-03-03T00:00:00Z', '2026-03-03T10:00:00Z', 77, '{}')`;
    await landBills(sql, marketId, 'charge', '2026-04-01T00:00:00Z', [makeCharge(1, charge)]);
    await landBills(sql, marketId, 'invoice', '2026-04-01T00:00:00Z', [makeInvoice(2, invoice)]);
  });
  afterAll(remove);

  it.each([
    { of: 'a column of the entries', name: 'invoiceId', key: '2', usd: '-20', rest: '1.5' },
    { of: 'a column of their instances', name: 'host', key: '77', usd: '1.5', rest: '-20' },
  ])('groups sums by $of and explains each sum', async ({ name, key: keyed, usd, rest }) => {
    const by = name as never;
    const { sumSpend } = await load<typeof import('../../src/spend/sums.sql.ts')>('src/spend/sums.sql.ts');
    const { explainSpend } = await load<typeof import('../../src/spend/explain-spend.ts')>(
      'src/spend/explain-spend.ts',
    );
    const scope = { ...range, marketId, timeZone: 'UTC' };
    const sums = await sumSpend(sql, scope, by, null);
    expect(sums.map(({ key, amountUsd }) => [key, amountUsd])).toEqual([
      [keyed, usd],
      [null, rest],
    ]);
    for (const { key, amountUsd, entries } of sums) {
      const explained = await explainSpend(sql, scope, {
        groups: [{ by, key }],
        category: null,
        basis: null,
      });
      expect(explained?.recomputed).toEqual({ amountUsd, entries });
    }
  });

  it('is known to the API, the command, the documents and the page', async () => {
    const { describeApi } = await load<typeof import('../../src/service/http/describe-api.ts')>(
      'src/service/http/describe-api.ts',
    );
    const { paths, components } = JSON.parse(describeApi('0'));
    expect(components.schemas.SpendGrouping.enum).toContain('invoiceId');
    const grouping = { $ref: '#/components/schemas/SpendGrouping' };
    expect(components.parameters.groupBy.schema).toMatchObject(grouping);
    for (const path of ['/api/spend', '/api/exports/{file}']) {
      expect(paths[path].get.parameters, path).toContainEqual({ $ref: '#/components/parameters/groupBy' });
    }
    const explained = paths['/api/explain'].get.parameters.find(
      ({ name }: { name: string }) => name === 'groupBy',
    );
    expect(explained.schema).toMatchObject(grouping);
    const { spendCommand } = await load<typeof import('../../src/spend/spend.command.ts')>(
      'src/spend/spend.command.ts',
    );
    const report = spendCommand({} as ServiceContext).commands.find((command) => command.name() === 'report');
    expect(report?.helpInformation()).toContain('"invoiceId"');
    const { describeDefinitions, documentTables } = await load<
      typeof import('../../src/service/http/describe-definitions.ts')
    >('src/service/http/describe-definitions.ts');
    expect(JSON.parse(describeDefinitions()).spendGroupings).toContainEqual({
      value: 'invoiceId',
      label: 'invoice',
    });
    expect(documentTables(readFileSync('docs/api.md', 'utf8'))).toContain(
      '`stackBy`: `invoiceId`, `host`, `month`',
    );
  });
});
