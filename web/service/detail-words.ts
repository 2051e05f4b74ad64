/** Describes the detail of an entry of the audit log, amounts to 6 decimals: `way: token, address: 203.0.113.7`. */
export const detailWords = (detail: object): string =>
  Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
    .replaceAll(/(\.\d{6})\d+/g, '$1');
