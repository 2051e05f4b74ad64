import type { Context } from 'hono';
import type { Role } from '../../core/http/credential.ts';
import { ApiProblem } from '../../core/http/problem.ts';
import { noProxies, peerAddress, type TrustedProxies } from '../http/client-address.ts';
import { type HeaderSignIn, roleOf } from './header-sign-in.ts';

/** How people sign in by a header, and whose header is believed. */
export interface SignInDeps {
  /** @default nobody does */
  headerSignIn?: HeaderSignIn;
  /** @default none */
  trustedProxies?: TrustedProxies;
}

/**
 * Returns the name that a trusted proxy gives for a request, with its role; null: none does, as when a stranger sends
 * the header. Throws a 403 for a name without a role, and for what is not one name.
 */
export function readPerson(
  c: Context,
  { headerSignIn, trustedProxies = noProxies }: SignInDeps,
): { name: string; role: Role } | null {
  if (headerSignIn === undefined) return null;
  const value = c.req.header(headerSignIn.header)?.trim() ?? '';
  const peer = peerAddress(c);
  if (value === '' || peer === null || !trustedProxies.has(peer)) return null;
  // The header twice arrives with a comma: a proxy that adds its own to a stranger's is no proof.
  if (!/^[^\p{Cc},]{1,200}$/u.test(value)) {
    throw new ApiProblem(
      403,
      'not-a-name',
      `The proxy sent something else than one name in ${headerSignIn.header}.`,
    );
  }
  const role = roleOf(headerSignIn, value);
  if (role !== null) return { name: value, role };
  throw new ApiProblem(
    403,
    'no-role',
    `${JSON.stringify(value)} has no role here: an administrator can add it to AUTH_ROLES.`,
  );
}
