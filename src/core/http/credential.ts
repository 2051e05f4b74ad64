export const roles = ['viewer', 'operator', 'admin', 'feed'] as const;
/** What a credential allows: reading, acting, administering; `feed` only opens feeds and sheets. */
export type Role = (typeof roles)[number];

/** `person`: named by a trusted proxy. */
export type CredentialKind = 'token' | 'session' | 'person';

/** What a token is limited to; null: it is not. */
export interface TokenScope {
  /** Names of markets. */
  markets: string[] | null;
  /** Label of the instances and orders that it may change. */
  label: string | null;
}

/** Who a request comes from. */
export interface Credential {
  id: string;
  kind: CredentialKind;
  role: Role;
  name: string;
  /** @default none */
  scope?: TokenScope;
}
