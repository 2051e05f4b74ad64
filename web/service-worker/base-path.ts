/** The path below which the page lies: this script lies at its root. */
export const basePath = new URL('.', self.location.href).pathname.replace(/\/$/, '');

/** Returns the path of an address in the page. */
export const pathInPage = (address: string): string => new URL(address).pathname.slice(basePath.length);
