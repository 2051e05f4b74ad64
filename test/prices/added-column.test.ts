import { afterAll, expect, it } from 'vitest';
import type { CommandContext } from '../../src/core/terminal/command-context.ts';
import { copyWithLine } from '../support/copy-with-line.ts';

const { load, remove } = copyWithLine(
  'src/prices/rankings/ranking-columns.ts',
  'export const rankingColumns = {\n',
  "  totalTflops: { label: 'speed', decimals: 0 },",
);
afterAll(remove);

it('a line in the table of ranking columns becomes a column of the API, the page and the terminal', async () => {
  const { describeApi } = await load<typeof import('../../src/service/http/describe-api.ts')>(
    'src/service/http/describe-api.ts',
  );
  const { RankedOffer } = JSON.parse(describeApi('0')).components.schemas;
  expect(RankedOffer.properties.totalTflops).toEqual({ type: ['number', 'null'] });
  expect(RankedOffer.required).toContain('totalTflops');
  const { describeDefinitions } = await load<typeof import('../../src/service/http/describe-definitions.ts')>(
    'src/service/http/describe-definitions.ts',
  );
  expect(JSON.parse(describeDefinitions()).rankingColumns[0]).toEqual({
    name: 'totalTflops',
    label: 'speed',
    decimals: 0,
  });
  const { rankCommand } = await load<typeof import('../../src/prices/rankings/rank.command.ts')>(
    'src/prices/rankings/rank.command.ts',
  );
  const printed: string[] = [];
  const item = { rank: 1, offerId: 2, gpuName: 'RTX 4090', numGpus: 1, type: 'bid', value: 3, usdPerHour: 4 };
  const answer = {
    observedAt: '2026-07-30T10:00:00.000Z',
    bookVerdict: 'complete',
    by: 'usdPerHour',
    unranked: [],
  };
  const api = {
    getRankings: async () => ({ ...answer, items: [{ ...item, totalTflops: 1234.5, verdict: null }] }),
  };
  await rankCommand({
    withApi: async (ask: (asked: typeof api) => Promise<void>) => await ask(api),
    print: (line: string) => printed.push(line),
  } as unknown as CommandContext).parseAsync([], { from: 'user' });
  expect(printed.join()).toMatch(/\$\/hour +speed .*\n +1 +2 +RTX 4090 +1 +bid +3\.0000 +4\.0000 +1235 /);
});
