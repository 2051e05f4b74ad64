import { createHash } from 'node:crypto';
import type { AccountState, KeyState } from './account/account-state.ts';
import { InvalidArgs } from './invalid-args.ts';

/** Permissions of scoped keys. Source: docs/marketplace.md#5-keys. */
const permissions = [
  'instance_read',
  'instance_write',
  'user_read',
  'user_write',
  'billing_read',
  'billing_write',
  'misc',
] as const;
export type Permission = (typeof permissions)[number];

/** The owner of a request's key; never the key itself. */
export interface Identity {
  kind: 'account' | 'scoped' | 'instance';
  /** `account`, the name of a scoped key, `instance-123`. */
  name: string;
  permissions: ReadonlySet<string>;
  /** For a restricted key: the one instance that it may start, stop or destroy. */
  instanceId: number | null;
}

const isPermission = (name: string): name is Permission => (permissions as readonly string[]).includes(name);

/** Returns a key's digest; the key itself is not stored. */
export const sha256 = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Finds the owner of a key; null: unknown. Comparing digests reveals nothing about the keys. */
export function createKeyRing(apiKey: string, state: AccountState): (key: string) => Identity | null {
  const account = sha256(apiKey);
  const none: ReadonlySet<string> = new Set();
  return (key) => {
    const digest = sha256(key);
    if (digest === account) {
      return { kind: 'account', name: 'account', permissions: new Set(permissions), instanceId: null };
    }
    const scoped = state.keys.find((candidate) => candidate.sha256 === digest);
    if (scoped !== undefined) {
      const { name } = scoped;
      return { kind: 'scoped', name, permissions: new Set(scoped.permissions), instanceId: null };
    }
    const instance = state.instances.find(({ keySha256 }) => keySha256 === digest);
    if (instance === undefined) return null;
    return { kind: 'instance', name: `instance-${instance.id}`, permissions: none, instanceId: instance.id };
  };
}

/** Returns the stored form of a scoped key. Throws InvalidArgs for an unknown permission. */
export function scopedKey(name: string, key: string, allowed: readonly string[]): KeyState {
  const unknown = allowed.filter((permission) => !isPermission(permission));
  if (unknown.length > 0) throw new InvalidArgs(`there is no permission ${unknown.join(', ')}`);
  return { name, sha256: sha256(key), permissions: [...allowed] };
}
