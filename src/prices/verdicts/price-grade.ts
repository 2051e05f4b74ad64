/** Grades of a price by its percentile, the lowest prices first. */
export const priceGrades = ['very_low', 'low', 'usual', 'high', 'very_high'] as const;

export type PriceGrade = (typeof priceGrades)[number];

/** Returns the grade of a percentile, 0 being the cheapest. Source: docs/meaning.md#verdicts. */
export function gradePercentile(percentile: number): PriceGrade {
  if (percentile <= 10) return 'very_low';
  if (percentile <= 25) return 'low';
  if (percentile < 75) return 'usual';
  return percentile < 90 ? 'high' : 'very_high';
}
