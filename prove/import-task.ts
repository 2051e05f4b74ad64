import type { DatabaseTarget } from '../src/database/connection.ts';

/** Phases in which an import can be killed. */
export const importPhases = ['paging', 'copy', 'merge', 'commit'] as const;
export type ImportPhase = (typeof importPhases)[number];

/** A message of an import: `book` counts from 1 over all files. */
export type ImportEvent =
  | { event: 'phase'; phase: ImportPhase; book: number }
  | { event: 'end'; landed: number; unchanged: number };

export interface ImportTask {
  target: DatabaseTarget;
  files: readonly string[];
  /** Books in the files before these. */
  booksBefore: number;
  /** false: each statement is its own transaction, as in the control. */
  transaction: boolean;
}

/** The market that the proof imports into. */
export const provedMarket = 'recorded';
