import { describe, expect, inject, it } from 'vitest';
import { proveImport } from '../../prove/topics/import.ts';
import { hasRecordedData, marketBookFiles } from '../support/recorded-data.ts';
import { silentLog } from '../support/silent-log.ts';

describe.skipIf(!hasRecordedData)('an import killed by SIGKILL', () => {
  it('leaves whole books only and gives the same figures when made again; without the transaction it does not', async () => {
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
