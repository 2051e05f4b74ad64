import type { RequestFaults } from '../faults/fault-plan.ts';
import type { Identity, Permission } from '../keys.ts';
import type { EndpointName } from './endpoint-name.ts';

/** A request with a valid key. */
export interface ApiRequest {
  /** The body as sent, not parsed yet. */
  text: string;
  query: URLSearchParams;
  /** The value of `{id}` in the path; '' without one. */
  id: string;
  /** The virtual moment of its arrival, and in whole unix seconds. */
  at: Date;
  atS: number;
  identity: Identity;
  faults: RequestFaults;
}

/** A JSON response, or one of another text type. */
export type ApiAnswer =
  | { status: number; body: object }
  | { status: number; text: string; contentType: string };

export interface Route {
  endpoint: EndpointName;
  method: string;
  /** Without a trailing slash: both spellings are served. `{id}` matches one part. */
  path: string;
  /** The permission that a scoped key needs. */
  permission: Permission;
  /** Whether a restricted instance key is accepted at all. */
  instanceKeys?: boolean;
  /** Throws a Refusal. */
  answer(request: ApiRequest): ApiAnswer;
}

/** A successful JSON response. */
export const ok = (body: object): ApiAnswer => ({ status: 200, body });
