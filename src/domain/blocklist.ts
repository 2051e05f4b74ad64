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
