/** Exports of what screens show, by the last part of the path that answers it; each takes that path's parameters. */
export const screenNames = ['trends', 'index', 'rankings', 'offers'] as const;
export type Screen = (typeof screenNames)[number];

/** Everything that can be exported. */
export const exportNames = [
  'spend',
  'spend-summary',
  'spend-adjustments',
  'spend-vs-market',
  'focus',
  'rentals',
  ...screenNames,
] as const;
export type ExportName = (typeof exportNames)[number];
