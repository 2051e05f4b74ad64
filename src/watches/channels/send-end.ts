/** How an attempt to send ended; `refused`: it will never work as it is; `again`: it may later. */
export type SendEnd =
  | { kind: 'sent' }
  | { kind: 'refused'; reason: string }
  | { kind: 'again'; reason: string; afterMs?: number };
