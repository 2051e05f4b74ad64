import { cutText } from '../../core/cut-text.ts';

export const noticeKinds = ['alert', 'digest', 'report', 'test'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** What a channel is to say, in no format of any channel: each renders it for itself. */
export interface Notice {
  kind: NoticeKind;
  /** One line of plain text. */
  title: string;
  /** Plain text, one line each. */
  lines: readonly string[];
  /** Where more is; null: nowhere. */
  link: string | null;
  /** The moment that it speaks of, ISO 8601. */
  at: string;
  watchId: string | null;
  ruleId: string | null;
  /** What programs read: the alert, the digest's alerts, the report. */
  data: Readonly<Record<string, unknown>>;
}

/**
 * Text from outside as one line of plain text that any format can hold: control characters, line ends, code points that
 * are no characters and marks that turn the direction of text become spaces; at most `longest` UTF-16 units, and no half of
 * a character where it is cut.
 */
export function oneLine(text: string, longest = 300): string {
  const line = text
    .replace(/[\p{Cc}\p{Noncharacter_Code_Point}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\p{Cs}/gu, '\ufffd')
    .trim();
  return line.length <= longest ? line : `${cutText(line, longest - 1)}…`;
}
