import type { Status } from './api.ts';
import type { App } from './app.ts';

/** What a reader may want to change. */
export interface Permission {
  /** Completes "Viewing only: ask an operator to …". */
  to: string;
  /** The role that it needs. @default operator */
  role?: 'operator' | 'admin';
  /** Completes "Recorded market: nothing can be …", if it changes something at the market. @default it does not */
  done?: string;
  /** Whether it changes the market's account. @default false */
  ofAccount?: boolean;
}

export const renting: Permission = { to: 'rent', done: 'rented', ofAccount: true };
export const managing: Permission = { ...renting, to: 'manage instances', done: 'changed' };
export const ordering: Permission = { to: 'place or change orders', done: 'rented' };
export const crawling: Permission = { to: 'start crawls', done: 'crawled' };
export const addingChannels: Permission = { to: 'add channels', role: 'admin' };
export const savingWatches: Permission = { to: 'save watches' };
export const marking: Permission = { to: 'block or prefer machines' };

const ranks: Record<Status['role'], number> = { feed: 0, viewer: 1, operator: 2, admin: 3 };

type Judged = Pick<Status, 'role' | 'mode' | 'actions' | 'capabilities'>;

/** Returns why the reader cannot do something here, as a sentence; null: they can, or the status is unknown. */
export function reasonAgainst(
  status: Judged | null,
  { to, role = 'operator', done, ofAccount = false }: Permission,
): string | null {
  if (status === null) return null;
  const { mode, actions, capabilities } = status;
  if (ofAccount && !capabilities.account)
    return `Offerbook does not rent at ${capabilities.label}: rent there yourself.`;
  if (done !== undefined && mode === 'replay') return `Recorded market: nothing can be ${done}.`;
  if (ranks[status.role] < ranks[role]) return `Viewing only: ask an ${role} to ${to}.`;
  if (ofAccount && !actions.enabled) return `Actions are off: set ACTIONS=on to ${to}.`;
  return null;
}

/** Returns the same by the newest status. */
export const reasonFor = ({ status }: Pick<App, 'status'>, permission: Permission): string | null =>
  reasonAgainst(status.state.value.data, permission);

/** Returns a path once the reader's role is known, for what not everyone may read; null before. */
export const onceKnown = <Path extends string>({ status }: Pick<App, 'status'>, path: Path): Path | null =>
  status.state.value.data === null ? null : path;
