import type { Credential, Role } from './credential.ts';
import { ApiProblem } from './problem.ts';

const ranks: Record<Role, number> = { feed: 0, viewer: 1, operator: 2, admin: 3 };

/** Returns the credential of a request. Throws a 403 if its role is below the needed one. */
export function requireRole(
  c: { get(name: 'credential'): Credential },
  needed: 'viewer' | 'operator' | 'admin',
): Credential {
  const credential = c.get('credential');
  if (ranks[credential.role] >= ranks[needed]) return credential;
  throw new ApiProblem(
    403,
    'role-too-low',
    `This needs the role ${needed}; the token's is ${credential.role}.`,
  );
}
