/** What is shown until another period is chosen: the API's default. */
export const defaultPeriod = 'both-months';

/** A named range of days, `from` inclusive, `to` exclusive, as fields of dates. */
export interface SpendPeriod {
  value: 'this-week' | 'last-week' | 'this-month' | 'last-month' | typeof defaultPeriod;
  label: string;
  from: string;
  to: string;
}

/**
 * Returns the periods that people ask for, around a day (`2026-11-22`); weeks begin on Monday. After the one that is shown
 * at first comes the one that is wanted most, one key away.
 */
export function spendPeriods(today: string): SpendPeriod[] {
  const at = new Date(`${today}T00:00:00Z`);
  const day = (shift: number): string =>
    new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + shift))
      .toISOString()
      .slice(0, 10);
  const month = (shift: number): string =>
    new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + shift, 1)).toISOString().slice(0, 10);
  const monday = -((at.getUTCDay() + 6) % 7);
  return [
    { value: defaultPeriod, label: 'This and last month', from: month(-1), to: month(1) },
    { value: 'last-week', label: 'Last week', from: day(monday - 7), to: day(monday) },
    { value: 'this-week', label: 'This week', from: day(monday), to: day(monday + 7) },
    { value: 'last-month', label: 'Last month', from: month(-1), to: month(0) },
    { value: 'this-month', label: 'This month', from: month(0), to: month(1) },
  ];
}
