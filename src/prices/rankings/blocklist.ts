export const blocklistKinds = ['block', 'prefer'] as const;
/** How an entry judges a machine or host: blocked or preferred. */
export type BlocklistKind = (typeof blocklistKinds)[number];

/** A machine or a host that a person judged; exactly one of the two ids is not null. */
export interface BlocklistEntry {
  id: string;
  market: string;
  kind: BlocklistKind;
  machineId: number | null;
  hostId: number | null;
  /** A person's reason; null: none was given. */
  note: string | null;
  addedAt: Date;
}

/** Machines and hosts of one kind, for look-ups. */
export interface Listed {
  machineIds: ReadonlySet<number>;
  hostIds: ReadonlySet<number>;
}

/** A market's block list, for look-ups. */
export type Blocklist = Record<BlocklistKind, Listed>;

/** Whether the machine or its host is listed; an unknown host never is. */
export const isListed = (
  { machineIds, hostIds }: Listed,
  offer: { machineId: number; hostId: number | null },
): boolean => machineIds.has(offer.machineId) || (offer.hostId !== null && hostIds.has(offer.hostId));
