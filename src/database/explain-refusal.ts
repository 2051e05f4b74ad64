import { documentAt } from '../core/program-file.ts';

const ofUnknownAuthority: ReadonlySet<string> = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
]);
/** SQLSTATE of a role that may not do something. */
export const insufficientPrivilege = '42501';

/**
 * Returns why a server cannot be used and what to do, as the end of a sentence about it. `ownerStatement` is what makes
 * its role the owner; null: unknown.
 */
export function explainRefusal(error: Error, ownerStatement: string | null = null): string {
  const code = 'code' in error ? String(error.code) : '';
  if (ofUnknownAuthority.has(code)) {
    return `its certificate is not of an authority that is trusted (${code}). Name the file of its authority as sslrootcert in the address.`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'its certificate is for another host name. Use that name in the address, or sslmode=verify-ca.';
  }
  if (/before secure TLS connection/.test(error.message)) {
    return 'it has no TLS. Switch TLS on there (ssl = on), or leave sslmode out of the address.';
  }
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired. Renew it on the server.';
  if (code === insufficientPrivilege) {
    return `${error.message}. Make its role the owner: ${ownerStatement ?? 'ALTER DATABASE … OWNER TO …'}, as ${documentAt('docs/settings.md')} says.`;
  }
  return `${error.message}. Check DATABASE_URL and that the server runs.`;
}
