import { afterAll, expect, it } from 'vitest';
import { copyWithLine } from '../support/copy-with-line.ts';

const { load, remove } = copyWithLine(
  'src/rentals/limits.ts',
  'export const limitSettings = {\n',
  "  MAX_GPUS: { value: whole(0, 100).optional(), label: 'Max GPUs', unit: 'instances', example: 8 },",
);
afterAll(remove);

it('a line in the table of limits is a setting, a field of the API and a row on the page', async () => {
  const { loadConfig } = await load<typeof import('../../src/service/config.ts')>('src/service/config.ts');
  expect(loadConfig({ MAX_GPUS: '8' }).limits).toMatchObject({ maxGpus: 8, maxInstances: null });
  expect(() => loadConfig({ MAX_GPUS: '101' })).toThrow(
    'MAX_GPUS "101": expected a whole number from 0 to 100',
  );
  const { describeApi } = await load<typeof import('../../src/service/http/describe-api.ts')>(
    'src/service/http/describe-api.ts',
  );
  const { ActionsLimits } = JSON.parse(describeApi('0')).components.schemas;
  expect(Object.keys(ActionsLimits.properties)).toContain('maxGpus');
  const { describeDefinitions } = await load<typeof import('../../src/service/http/describe-definitions.ts')>(
    'src/service/http/describe-definitions.ts',
  );
  expect(JSON.parse(describeDefinitions()).limits[0]).toEqual({
    name: 'maxGpus',
    variable: 'MAX_GPUS',
    label: 'Max GPUs',
    unit: 'instances',
    example: 8,
  });
});
