import { expect, it } from 'vitest';
import { groupMarks, markPixel, trendMarks } from '../../web/prices/trends/trend-marks.ts';

const rental = (createdAt: string | null, gpuName: string | null, instanceId: number | null = 1) => ({
  ...{ createdAt, gpuName, instanceId, numGpus: 1, usdPerHour: '0.5', label: null },
});
const alert = (at: string, gpuNames: string[], watchId: string | null = 'w') => ({
  ...{ id: at, at, title: `alert ${at}`, watchId, gpuNames },
});
const at = (day: number) => new Date(Date.UTC(2026, 6, day)).toISOString();
const kinds = (
  models: string[],
  ...given: [Parameters<typeof trendMarks>[1], Parameters<typeof trendMarks>[2]]
) => trendMarks(models, ...given).map(({ t, kind }) => `${kind} ${new Date(t).getUTCDate()}`);

it('rentals and alerts of the drawn models are marked in order of time, others are not', () => {
  const rentals = [
    rental(at(3), 'A40'),
    rental(at(1), 'L4'),
    rental(at(2), null),
    rental(at(4), 'A40', null),
  ];
  const alerts = [
    alert(at(2), ['A40', 'L4']),
    alert(at(5), []),
    alert(at(6), ['H100']),
    alert(at(7), [], null),
  ];
  expect(kinds(['A40'], rentals, alerts)).toEqual(['alert 2', 'rental 3', 'alert 5']);
  expect(kinds([], rentals, alerts)).toEqual([
    'rental 1',
    'rental 2',
    'alert 2',
    'rental 3',
    'alert 5',
    'alert 6',
  ]);
  expect(trendMarks([], [rental(null, 'A40')], [])).toEqual([]);
});

it('overlapping marks of a kind are combined, and those outside the range are dropped', () => {
  const marks = trendMarks(
    [],
    [rental(new Date(500).toISOString(), 'A40')],
    [490, 495, 505, 600, 2_000].map((ms) => alert(new Date(ms).toISOString(), [])),
  );
  const groups = groupMarks(marks, { from: 0, to: 1_000 });
  expect(groups.map(({ t, kind, texts }) => [t, kind, texts.length])).toEqual([
    [490, 'alert', 2],
    [500, 'rental', 1],
    [505, 'alert', 1],
    [600, 'alert', 1],
  ]);
});

it('a mark at the end of the time axis is drawn before the labels there', () => {
  expect([300, 895, 900].map((pixel) => markPixel(pixel, 900))).toEqual([300, 890, 890]);
});
