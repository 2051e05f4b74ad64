import { UserError } from '../../core/errors.ts';

/** Why a page's limit cannot be sent; null: it can. */
export const findLimitProblem = (limit: number, what: string): string | null =>
  Number.isInteger(limit) && limit >= 1 ? null : `${what}: limit ${limit} is no whole number of at least 1`;

/** Whether a range of time holds nothing. Throws UserError for a date that is none. */
export function isEmptyRange(from: Date | undefined, to: Date | undefined): boolean {
  for (const date of [from, to]) {
    if (date !== undefined && Number.isNaN(date.getTime()))
      throw new UserError('a date of the range is none');
  }
  return from !== undefined && to !== undefined && from.getTime() >= to.getTime();
}
