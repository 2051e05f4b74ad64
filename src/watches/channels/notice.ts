import { cutText } from '../../core/cut-text.ts';

export const noticeKinds = ['alert', 'digest', 'report', 'order', 'test'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** The content of a message, independent of any channel's format; each channel renders it. */
export interface Notice {
  kind: NoticeKind;
  /** One line of plain text. */
  title: string;
  /** Plain text, one line each. */
  lines: readonly string[];
  /** Link to more; null: none. */
  link: string | null;
  /** The moment it is about, ISO 8601. */
  at: string;
  watchId: string | null;
  ruleId: string | null;
  /** The content for programs: the alert, the digest's alerts or the report. */
  data: Readonly<Record<string, unknown>>;
}

/**
 * Returns outside text as one plain line that every format can hold: control characters, line ends, invalid code points
 * and direction marks become spaces; cut to `longest` UTF-16 units without splitting a pair.
 */
export function oneLine(text: string, longest = 300): string {
  const line = text
    .replace(/[\p{Cc}\p{Noncharacter_Code_Point}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\p{Cs}/gu, '\ufffd')
    .trim();
  return line.length <= longest ? line : `${cutText(line, longest - 1)}…`;
}
