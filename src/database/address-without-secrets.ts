/** Returns the server and database of an address: no user, no password and no file of a key. */
export function addressWithoutSecrets(address: string): string {
  const { host, pathname, searchParams } = new URL(address);
  return `${host === '' ? (searchParams.get('host') ?? '') : host}${pathname}`;
}
