/** Hosts of this machine and of private networks, as they are written. */
const privateHosts = [
  /^localhost\.?$/,
  /\.(localhost|local|internal|lan|home\.arpa)\.?$/,
  /^(0|10|127)\.\d+\.\d+\.\d+$/,
  /^192\.168\.\d+\.\d+$/,
  /^169\.254\.\d+\.\d+$/,
  /^172\.(1[6-9]|2\d|3[01])\.\d+\.\d+$/,
  /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.\d+\.\d+$/,
  /^\[(::1?|f[cd].*|fe[89ab].*)\]$/,
];

/**
 * Whether an address, as far as it is typed, is one of this machine or a private network by how it is written; the service
 * decides by where it leads.
 */
export function isPrivateAddress(text: string): boolean {
  const typed = text.trim();
  if (!/^https?:\/\//i.test(typed) || !URL.canParse(typed)) return false;
  const { hostname } = new URL(typed);
  return privateHosts.some((host) => host.test(hostname.toLowerCase()));
}
