import { describe, expect, inject, it } from 'vitest';
import { proveImport } from '../../prove/topics/import.ts';
import { hasRecordedData, marketBookFiles } from '../support/recorded-data.ts';
import { silentLog } from '../support/silent-log.ts';

describe.skipIf(!hasRecordedData)('an import killed by SIGKILL', () => {
  it('leaves only whole books, and a repeated import gives the same figures; without the transaction neither holds', async () => {
    const { failures, counts } = await proveImport({
      seed: 1,
      log: silentLog,
      bookFiles: marketBookFiles.slice(0, 3),
      server: inject('server'),
      killsAPhase: 2,
      controlKills: 6,
    });
    expect(failures).toEqual([]);
    expect(counts['kills in merge']).toBeGreaterThanOrEqual(2);
  });
});
