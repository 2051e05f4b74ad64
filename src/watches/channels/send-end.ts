/** Result of an attempt to send; `refused`: it can never work as it is; `again`: it may work later. */
export type SendEnd =
  | { kind: 'sent' }
  | { kind: 'refused'; reason: string }
  | { kind: 'again'; reason: string; afterMs?: number };
