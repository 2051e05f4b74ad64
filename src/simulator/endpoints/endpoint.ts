import type { RequestFaults } from '../faults/fault-plan.ts';
import type { Identity, Permission } from '../keys.ts';
import type { EndpointName } from './endpoint-name.ts';

/** A request whose key was right. */
export interface ApiRequest {
  /** The body as sent, before anything was read from it. */
  text: string;
  query: URLSearchParams;
  /** What stood for the `{id}` of the path; '' without one. */
  id: string;
  /** The virtual moment of its arrival, and in whole unix seconds. */
  at: Date;
  atS: number;
  identity: Identity;
  faults: RequestFaults;
}

/** A JSON answer, or one of another kind of text. */
export type ApiAnswer =
  | { status: number; body: object }
  | { status: number; text: string; contentType: string };

export interface Route {
  endpoint: EndpointName;
  method: string;
  /** Without a trailing slash: both spellings are served. `{id}` stands for one part. */
  path: string;
  /** What a scoped key needs. */
  permission: Permission;
  /** Whether a restricted instance key may come here at all. */
  instanceKeys?: boolean;
  /** Throws a Refusal. */
  answer(request: ApiRequest): ApiAnswer;
}

/** A successful JSON answer. */
export const ok = (body: object): ApiAnswer => ({ status: 200, body });
