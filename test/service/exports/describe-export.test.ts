import { describe, expect, it } from 'vitest';
import { headOf } from '../../../src/core/column-heads.ts';
import { programTable } from '../../../src/exports/table.ts';
import {
  choiceFacts,
  daysOf,
  describeScreen,
  exportFileName,
  rangeFacts,
} from '../../../src/service/exports/describe-export.ts';
import { entryNotes, summaryNotes } from '../../../src/spend/tables/column-notes.ts';

describe('the name of an exported file', () => {
  it.each([
    ['offers', ['RTX 4090'], ['2026-11-26'], 'offers-rtx-4090-2026-11-26'],
    ['rankings', ['A100 SXM4', 'H200 (141GB)'], ['2026-11-26'], 'rankings-a100-sxm4-h200-141gb-2026-11-26'],
    ['trends', ['a', 'b', 'c'], ['2026-10-27', '2026-11-26'], 'trends-3-models-2026-10-27-2026-11-26'],
    ['spend', undefined, ['2026-11-26', '2026-11-26'], 'spend-2026-11-26'],
    ['offers', ['"/../\\\r\n漢'], [], 'offers'],
  ])('%s of %j and %j is %s', (name, gpuNames, dates, expected) => {
    expect(exportFileName(name, { gpuNames, dates })).toBe(expected);
  });

  it('has the first and the last day of a range in its zone, at the latest the day of what was known', () => {
    const range = { from: new Date('2026-10-31T23:00:00Z'), to: new Date('2026-11-30T23:00:00Z') };
    expect(daysOf(range, 'Europe/Berlin')).toEqual(['2026-11-01', '2026-11-30']);
    expect(daysOf({ ...range, asOf: new Date('2026-11-26T09:00:00Z') }, 'UTC')).toEqual([
      '2026-10-31',
      '2026-11-26',
    ]);
    expect(daysOf({ ...range, asOf: new Date('2026-01-01T00:00:00Z') }, 'UTC')[1]).toBe('2026-10-31');
  });
});

describe('what a workbook says of its origin', () => {
  it('is the market, the book and the filters in words, without how the file is written', () => {
    const book = { observedAt: '2026-11-26T18:07:06Z', verdict: 'complete' };
    const table = programTable('Offers', [], (async function* () {})());
    const given = { gpuName: ['RTX 4090'], maxUsdPerHour: ['0.5'], storageGb: ['40'], locale: ['de'] };
    const described = describeScreen(
      'offers',
      { table, book, range: null },
      { given, markets: ['vast'], timeZone: 'Asia/Kolkata' },
    );
    expect(described.fileName).toBe('offers-rtx-4090-2026-11-26');
    expect(described.table.facts).toEqual([
      ['Market', 'vast'],
      ['Book of', '2026-11-26 23:37'],
      ['Coverage of the book', 'complete'],
      ['GPU model', 'RTX 4090'],
      ['Max price per machine, $/hour', '0.5'],
      ['Storage GB', '40'],
    ]);
    expect(choiceFacts({ minReliability: ['0.98', '98', '1%'], by: ['usdPerGpuHour'] })).toEqual([
      ['Min reliability, %', '98, 98, 1'],
      [headOf('by'), 'USD per GPU hour'],
    ]);
    expect(choiceFacts({ timeZone: ['UTC'], from: ['2026-01-01'] })).toEqual([]);
  });

  it('names the last day of whole days, which is included, and the moments of another range', () => {
    const range = (to: string, timeZone = 'America/New_York') =>
      rangeFacts(
        {
          ...{ market: 'vast', asOf: new Date('2026-11-26T09:00:00Z') },
          ...{ from: new Date('2026-11-16T05:00:00Z'), to: new Date(to) },
        },
        timeZone,
      ).slice(1, 3);
    expect(range('2026-11-23T05:00:00Z')).toEqual([
      ['From', '2026-11-16'],
      ['To, inclusive', '2026-11-22'],
    ]);
    expect(range('2026-11-23T05:30:00Z')).toEqual([
      ['From', '2026-11-16 00:00'],
      ['To, not included', '2026-11-23 00:30'],
    ]);
    expect(range('2026-11-23T05:00:00Z', 'UTC')).toEqual([
      ['From', '2026-11-16 05:00'],
      ['To, not included', '2026-11-23 05:00'],
    ]);
  });

  it('has the sign of amounts in one sentence, with the words of the page', () => {
    for (const { amountUsd } of [entryNotes, summaryNotes])
      expect(amountUsd).toMatch(/Cost is positive and money paid in negative, .*, as Paid in$/);
    expect(entryNotes.kind).toContain(
      'estimate: used and not charged so far, marked “estimated” on the page',
    );
  });
});

it.each([
  ['usdPerGpuHour', 'USD per GPU hour'],
  ['firstRunningAt', 'First running at'],
  ['machineId', 'Machine ID'],
  ['numGpus', 'GPUs'],
  ['p25', '25th percentile'],
])('the head of %s is %s', (name, head) => {
  expect(headOf(name)).toBe(head);
});
