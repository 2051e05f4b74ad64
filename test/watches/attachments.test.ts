import { readXlsx } from 'hucre/xlsx';
import { expect, it } from 'vitest';
import { attachmentContent } from '../../src/watches/reports/attachments.ts';
import { sampleReport } from './sample-report.ts';

it("an e-mail's workbook cuts texts and the sheet's name between characters", async () => {
  const report = sampleReport();
  const [item] = report.items;
  if (item === undefined) throw new Error('the sample has no item');
  const watch = { ...report.watch, name: `${'x'.repeat(30)}\u{20000}y` };
  const url = `${'u'.repeat(32_765)}\u{1F600}${'u'.repeat(10)}`;
  const file = await attachmentContent({ ...report, watch, items: [{ ...item, url }] }, 'xlsx');
  const [sheet] = (await readXlsx(new Uint8Array(file as Buffer))).sheets;
  expect(sheet?.name).toBe('x'.repeat(30));
  expect(sheet?.rows[1]?.at(-2)).toBe(`${'u'.repeat(32_765)}…`);
});
