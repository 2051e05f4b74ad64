import { z } from '@hono/zod-openapi';
import { offerFilters } from '../../core/offer-filter.ts';

/** A figure in responses: a number, exact money as text, or a word; null: unknown. */
type Figure = number | string | boolean | null;
/** The requested range of a history. */
export interface AskedRange {
  from?: string | undefined;
  to?: string | undefined;
  timeZone: string;
}

/** Figures by their names. */
export type Figures = Record<string, Figure>;

const figure = z.union([z.number(), z.string(), z.boolean(), z.null()]);
export const figuresSchema = z.record(z.string(), figure);

/** Common fields of explanations: the published figures and the same recomputed from the listed rows. */
export const explainedParts = {
  text: z.array(z.string()).openapi({ description: 'How the figure was computed, in sentences' }),
  value: figuresSchema.openapi({
    description: 'The figures as other responses have them; null: none',
  }),
  agrees: z.boolean().openapi({
    description:
      'Every figure of `value` equals that of `recomputed`, numbers to 8 digits, percentages to 8 decimals',
  }),
};

const tolerance = 1e-8;

/** Changes are stored to 9 decimals, so that those near 0 have few digits. */
const minSize = (name: string): number => (/percent$/i.test(name) ? 1 : 1e-3);

/** Whether every figure of `value` was recomputed the same, numbers within 1e-8 of their size, percentages of at least 1. */
export function agree(value: Figures, recomputed: Figures): boolean {
  return Object.entries(value).every(([name, shown]) => {
    const again = recomputed[name] ?? null;
    if (typeof shown !== 'number' || typeof again !== 'number') return shown === again;
    return Math.abs(shown - again) <= tolerance * Math.max(minSize(name), Math.abs(shown));
  });
}

/** Formats a moment for sentences: `2026-07-30 14:07 UTC`. */
export const momentWords = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Counts rows left out by reason, most frequent first. */
export function countReasons(
  rejected: readonly { rejected: Figure | undefined }[],
): { reason: string; rows: number }[] {
  const reasons = Map.groupBy(rejected, (row) => String(row.rejected ?? ''));
  return [...reasons]
    .map(([reason, of]) => ({ reason, rows: of.length }))
    .sort((a, b) => b.rows - a.rows || (a.reason < b.reason ? -1 : 1));
}

/** Returns a reason as people read it: that of a filter has its label, `filter “Min reliability” not met`. */
const reasonWords = (reason: string): string =>
  reason.replace(/^filter (\w+)$/, (_, name: string) => {
    const { [name]: filter }: Readonly<Record<string, { label?: string }>> = offerFilters;
    return `filter “${filter?.label ?? name}” not met`;
  });

/** Describes rows left out: `3 left out: no DLPerf score (2), filter “Countries” not met (1).`, or that none were. */
export function leftOutWords(rejected: readonly { rejected: Figure | undefined }[]): string {
  if (rejected.length === 0) return 'Nothing was left out.';
  const reasons = countReasons(rejected).map(
    ({ reason, rows }) => `${reasonWords(reason)} (${rows.toLocaleString('en-US')})`,
  );
  return `${rejected.length.toLocaleString('en-US')} left out: ${reasons.join(', ')}.`;
}
