/** The API's name of whoever acts on the page without a token of their own. */
const pageSession = 'session';

/** Returns who or what acted, as the page names it: a token, an order, or this page. */
export const actorWords = (by: string): string => (by === pageSession ? 'on the page' : by);

/** Returns how an instance was rented, after the word "Rented"; `by` null: not through Offerbook. */
export function rentedWords(by: string | null): string {
  if (by === null) return 'elsewhere, not by Offerbook';
  return by === pageSession ? actorWords(by) : `by ${by}`;
}
