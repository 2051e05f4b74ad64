/** Days for which a page stays signed in. */
export const sessionDays = 30;
export const sessionMs = sessionDays * 86_400_000;
