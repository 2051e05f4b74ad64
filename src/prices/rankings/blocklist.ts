export const blocklistKinds = ['block', 'prefer'] as const;
/** What an entry says of a machine or host: never, or gladly. */
export type BlocklistKind = (typeof blocklistKinds)[number];

/** A machine or a host that a person judged; exactly one of the two ids is not null. */
export interface BlocklistEntry {
  id: string;
  market: string;
  kind: BlocklistKind;
  machineId: number | null;
  hostId: number | null;
  /** Why, in a person's words; null: nothing was said. */
  note: string | null;
  addedAt: Date;
}

/** Machines and hosts of one kind, to look offers up in. */
export interface Listed {
  machineIds: ReadonlySet<number>;
  hostIds: ReadonlySet<number>;
}

/** What a market's block list says, to look offers up in. */
export type Blocklist = Record<BlocklistKind, Listed>;

/** Whether the machine or its host is listed; an unknown host never is. */
export const isListed = (
  { machineIds, hostIds }: Listed,
  offer: { machineId: number; hostId: number | null },
): boolean => machineIds.has(offer.machineId) || (offer.hostId !== null && hostIds.has(offer.hostId));
