import { z } from 'zod';
import type { Role } from '../../core/http/credential.ts';
import { readAddressRange } from '../http/client-address.ts';

/** Sign-in by a header that a trusted proxy sets once it knows who somebody is. */
export interface HeaderSignIn {
  /** The header with the name. */
  header: string;
  /** The role of each name in lower case; `*@example.org` and `*` stand for many. */
  roles: ReadonlyMap<string, Role>;
}

const grantable = ['viewer', 'operator', 'admin'] as const;
const words = (value: string): string[] => value.split(/[\s,]+/).filter((word) => word !== '');
const namePattern = /^(\*|[^\s=,*]+|\*@[^\s=,*]+)=(\w+)$/;

/** Parsers of the variables. */
export const headerSignInValues = {
  TRUSTED_PROXIES: z
    .string()
    .transform(words)
    .refine(
      (ranges) => ranges.length > 0 && ranges.every((range) => readAddressRange(range) !== null),
      'expected addresses or networks like 127.0.0.1 10.0.0.0/8, and never every address',
    )
    .optional(),
  AUTH_HEADER: z
    .string()
    .regex(
      /^(?!(authorization|cookie|host|origin|x-forwarded-for)$)[a-z][a-z0-9-]*$/i,
      'expected a name like X-Forwarded-User',
    )
    .optional(),
  AUTH_ROLES: z
    .string()
    .transform(words)
    .refine(
      (pairs) =>
        pairs.length > 0 &&
        pairs.every((pair) => (grantable as readonly string[]).includes(namePattern.exec(pair)?.[2] ?? '')),
      `expected names with roles like ada@example.org=admin *@example.org=operator *=viewer; roles are ${grantable.join(', ')}`,
    )
    .optional(),
} as const;

/** Returns what is missing beside the given ones of these settings, as sentences of the configuration's problems. */
export function missingForHeader(
  given: { [Name in keyof typeof headerSignInValues]?: string | undefined },
): string[] {
  if (given.AUTH_HEADER === undefined) {
    return given.AUTH_ROLES === undefined
      ? []
      : ['AUTH_HEADER: is missing; AUTH_ROLES gives roles to the names in it. Set both or neither'];
  }
  return (['TRUSTED_PROXIES', 'AUTH_ROLES'] as const)
    .filter((name) => given[name] === undefined)
    .map((name) => `${name}: is missing; AUTH_HEADER is believed only with it`);
}

/** The part of the configuration about it. */
export interface HeaderSignInConfig {
  /** Addresses and networks of proxies whose headers are believed. */
  trustedProxies: readonly string[];
  /** null: sign-in by a header is off. */
  headerSignIn: HeaderSignIn | null;
}

/** Returns the configuration in the settings. */
export function headerSignInOf(values: z.output<z.ZodObject<typeof headerSignInValues>>): HeaderSignInConfig {
  const { TRUSTED_PROXIES: trustedProxies = [], AUTH_HEADER: header, AUTH_ROLES: pairs } = values;
  if (header === undefined || pairs === undefined) return { trustedProxies, headerSignIn: null };
  const roles = pairs.map((pair) => pair.toLowerCase().split('=') as [string, Role]);
  return { trustedProxies, headerSignIn: { header, roles: new Map(roles) } };
}

/** Returns the role of a name: its own, else that of its domain, else that of everybody; null: none. */
export function roleOf({ roles }: HeaderSignIn, name: string): Role | null {
  const plain = name.toLowerCase();
  return roles.get(plain) ?? roles.get(`*${plain.slice(plain.lastIndexOf('@'))}`) ?? roles.get('*') ?? null;
}
