import { afterAll, expect, it } from 'vitest';
import { copyWithLine } from '../support/copy-with-line.ts';

const { load, remove } = copyWithLine(
  'src/core/offer-fields.ts',
  'export const rankingColumns = {\n',
  "  diskSpaceGb: { label: 'disk', decimals: 0 },",
);
afterAll(remove);

it('a line in the table of ranking columns is a column of the answer and of the page', async () => {
  const { describeApi } = await load<typeof import('../../src/service/http/describe-api.ts')>(
    'src/service/http/describe-api.ts',
  );
  const { RankedOffer } = JSON.parse(describeApi('0')).components.schemas;
  expect(RankedOffer.properties.diskSpaceGb).toEqual({ type: ['number', 'null'] });
  expect(RankedOffer.required).toContain('diskSpaceGb');
  const { describeDefinitions } = await load<typeof import('../../src/service/http/describe-definitions.ts')>(
    'src/service/http/describe-definitions.ts',
  );
  expect(JSON.parse(describeDefinitions()).rankingColumns[0]).toEqual({
    ...{ name: 'diskSpaceGb', label: 'disk', decimals: 0 },
  });
});
