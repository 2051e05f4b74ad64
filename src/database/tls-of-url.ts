import { readFileSync } from 'node:fs';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import { UserError } from '../core/errors.ts';

const fileSettings = ['sslrootcert', 'sslcert', 'sslkey'] as const;

/**
 * Separates an address of PostgreSQL from the certificate files that it names as in libpq, because the driver would
 * send those to the server as session settings. `ssl` null: it names none. Throws UserError for a file that cannot be
 * read.
 */
export function tlsOfUrl(address: string): { url: string; ssl: ConnectionOptions | null } {
  const url = new URL(address);
  const { searchParams } = url;
  const names = fileSettings.filter((name) => searchParams.has(name));
  if (names.length === 0) return { url: address, ssl: null };
  const [ca, cert, key] = fileSettings.map((name) => readPem(name, searchParams.get(name)));
  // As in libpq, `require` with a root certificate checks it, but not the host's name.
  const mode = searchParams.get('sslmode') ?? (ca === undefined ? 'require' : 'verify-full');
  if (ca !== undefined && mode === 'disable') {
    throw new UserError(
      'sslrootcert does nothing with sslmode=disable: use sslmode=verify-full, or leave it out.',
    );
  }
  const verifies =
    ca !== undefined || mode.startsWith('verify-') || searchParams.get('sslrootcert') === 'system';
  const checksHost = mode === 'verify-full' || searchParams.get('sslrootcert') === 'system';
  for (const name of [...names, 'sslmode']) searchParams.delete(name);
  return {
    url: url.href,
    ssl: {
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      rejectUnauthorized: verifies,
      // By the address itself: for an IP address the driver would check the name `localhost`.
      checkServerIdentity: (_, certificate) =>
        checksHost ? checkServerIdentity(url.hostname.replace(/^\[|\]$/g, ''), certificate) : undefined,
    },
  };
}

function readPem(name: (typeof fileSettings)[number], path: string | null): string | undefined {
  // libpq's word for the authorities that this machine trusts.
  if (path === null || path === '' || (name === 'sslrootcert' && path === 'system')) return undefined;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new UserError(`The file ${path} that ${name} names cannot be read (${code}): check the path.`, {
      cause,
    });
  }
  if (text.includes('-----BEGIN ')) return text;
  throw new UserError(`The file ${path} that ${name} names holds no PEM text (-----BEGIN …): name another.`);
}
