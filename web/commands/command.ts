/** What a command opens or does. */
export type CommandKind = 'Model' | 'View' | 'Instance' | 'Listing' | 'Watch' | 'Action';

/** Something that the command palette opens or does. */
export interface Command {
  id: string;
  kind: CommandKind;
  label: string;
  /** More words that find it. */
  words?: string;
  isPinned?: boolean;
  /** Whether it is shown only by a search. @default false */
  isRare?: boolean;
  /** Opens or does it; the returned sentence is announced. */
  run: () => Promise<string> | string | undefined;
}
