import { connect } from 'node:net';

const patienceMs = 10_000;

/** Returns why no connection to an address can be made, such as `ECONNREFUSED`; null: somebody answers. Sends nothing. */
export async function findSilence(address: string, signal?: AbortSignal): Promise<string | null> {
  const { protocol, hostname, port } = new URL(address);
  const socket = connect({
    // A host of IPv6 is in brackets in an address.
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
    timeout: patienceMs,
    ...(signal === undefined ? {} : { signal }),
  });
  try {
    return await new Promise((resolve) => {
      socket.once('connect', () => resolve(null));
      socket.once('timeout', () => resolve(`no answer within ${patienceMs / 1_000} s`));
      socket.once('error', ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message));
    });
  } finally {
    socket.destroy();
  }
}
