const timeout = (host: string): string =>
  `${host} does not answer in time: check that it runs and can be reached from the computer that runs Offerbook`;
const noRoute = (host: string): string =>
  `no network leads to ${host}: check the network of the computer that runs Offerbook`;
const closed = (host: string): string =>
  `${host} closed the connection before it answered: check the address and its port`;
const untrusted = (host: string): string =>
  `the certificate of ${host} is not trusted: set up a valid one there, or check the address`;
const notTls = (host: string): string =>
  `${host} does not speak HTTPS there: check the port, and whether the address begins with http or https`;

/** What happened and what to do, by the code of a failure to connect. */
const words: Readonly<Record<string, (host: string) => string>> = {
  ENOTFOUND: (host) => `the address ${host} does not exist: check its spelling`,
  EAI_AGAIN: (host) =>
    `the name ${host} cannot be looked up: check the network of the computer that runs Offerbook`,
  ECONNREFUSED: (host) =>
    `nothing answers at ${host}: check the address and its port, and that the service there runs`,
  ETIMEDOUT: timeout,
  UND_ERR_CONNECT_TIMEOUT: timeout,
  UND_ERR_HEADERS_TIMEOUT: timeout,
  UND_ERR_BODY_TIMEOUT: timeout,
  TimeoutError: timeout,
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  CERT_HAS_EXPIRED: (host) => `the certificate of ${host} has expired: renew it there`,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) =>
    `the certificate there is not one of ${host}: check the address, or set up a valid one there`,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  EPROTO: notTls,
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
};

/**
 * Returns why an address cannot be reached and what to do, with the code in brackets. Names only its host and port:
 * the rest may be secret.
 */
export function unreachableWords(code: string, url: string): string {
  if (!URL.canParse(url)) return `the address is not valid: enter it again (${code})`;
  const { host } = new URL(url);
  const said = words[code]?.(host) ?? `${host} cannot be reached: check the address`;
  return `${said} (${code})`;
}

/** Returns the known code in an error's message; null: it has none. */
export const codeIn = (message: string): string | null =>
  Object.keys(words).find((code) => new RegExp(`\\b${code}\\b`).test(message)) ?? null;
