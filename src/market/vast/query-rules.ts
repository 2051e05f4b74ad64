import { UserError } from '../../core/errors.ts';

/** Returns why a page limit is invalid; null: it is valid. */
export const findLimitProblem = (limit: number, what: string): string | null =>
  Number.isInteger(limit) && limit >= 1
    ? null
    : `${what}: limit ${limit} is not a whole number of at least 1`;

/** Whether a time range is empty. Throws UserError for an invalid date. */
export function isEmptyRange(from: Date | undefined, to: Date | undefined): boolean {
  for (const date of [from, to]) {
    if (date !== undefined && Number.isNaN(date.getTime()))
      throw new UserError('a date of the range is invalid');
  }
  return from !== undefined && to !== undefined && from.getTime() >= to.getTime();
}
