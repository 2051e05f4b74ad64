/**
 * Result of an attempt to send; `refused`: it can never work as it is; `again`: it may work later. `isGone`: the receiver no
 * longer exists, so its channel is switched off.
 */
export type SendEnd =
  | { kind: 'sent' }
  | { kind: 'refused'; reason: string; httpStatus?: number; isGone?: true }
  | { kind: 'again'; reason: string; afterMs?: number };
