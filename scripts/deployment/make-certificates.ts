import { join } from 'node:path';
import { runProgram } from './run-program.ts';

/** Paths of PEM files. */
export interface Certificates {
  authority: string;
  certificate: string;
  key: string;
}

/** Makes an authority, and a certificate that it signs. */
export async function makeCertificates(folder: string, host: string): Promise<Certificates> {
  const at = (name: string): string => join(folder, name);
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const [authority, certificate, key] = [at('authority.pem'), at('server.pem'), at('server.key')];
  await runProgram('openssl', [
    ...['req', '-x509', ...curve, '-days', '2', '-subj', '/CN=Authority'],
    ...['-keyout', at('authority.key'), '-out', authority],
  ]);
  await runProgram('openssl', [
    ...[
      'req',
      '-x509',
      ...curve,
      '-days',
      '2',
      '-subj',
      `/CN=${host}`,
      '-addext',
      `subjectAltName=DNS:${host}`,
    ],
    ...['-CA', authority, '-CAkey', at('authority.key'), '-keyout', key, '-out', certificate],
  ]);
  return { authority, certificate, key };
}
