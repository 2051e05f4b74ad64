/** The API's names of whoever acts on the page without a token of their own: signed in, and signing in. */
const pageActors: readonly string[] = ['session', 'login link'];

/** Returns who or what acted, as the page names it: a token, an order, or this page. */
export const actorWords = (by: string): string => (pageActors.includes(by) ? 'on the page' : by);

/** Returns who or what acted, after a verb: `by alice`, `on the page`. */
export const byWords = (by: string): string => (pageActors.includes(by) ? actorWords(by) : `by ${by}`);

/** Returns how an instance was rented, after the word "Rented", where no page is near; `by` null: not through Offerbook. */
export const rentedWords = (by: string | null): string =>
  by === null ? 'elsewhere, not by Offerbook' : pageActors.includes(by) ? 'on Offerbook’s page' : byWords(by);
