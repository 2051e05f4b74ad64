import { gzipSync } from 'node:zlib';
import { pick, type Random } from './pick.ts';

/** A damaged file. */
export interface DamagedFile {
  /** The damage, in words. */
  kind: string;
  /** null: a folder with that name. */
  content: Buffer | null;
  /** Whether the file is intact and its command receives a SIGTERM at a random moment instead. */
  isStopped?: true;
}

/** The file to damage: a text of lines. */
export interface Undamaged {
  text: string;
  /** Damage to its meaning rather than its bytes, by name. */
  edits: Readonly<Record<string, (text: string, random: Random) => string>>;
  /** Files of other programs and commands that are mistaken for this one. */
  others: readonly Buffer[];
}

/** Unpacks to this size; a reader that keeps all of it shows in its memory. */
const bombBytes = 300_000_000;
let bomb: Buffer | null = null;

type Damage = (undamaged: Undamaged, random: Random) => DamagedFile;

const kinds: readonly Damage[] = [
  ({ text }, random) => ({ kind: 'a bit flipped in the zipped file', content: flip(gzipSync(text), random) }),
  ({ text }, random) => ({
    kind: 'a bit flipped before it was zipped',
    content: gzipSync(flip(Buffer.from(text), random)),
  }),
  ({ text }, random) => ({ kind: 'the zipped file cut off', content: cut(gzipSync(text), random) }),
  ({ text }, random) => ({
    kind: 'cut off before it was zipped',
    content: gzipSync(cut(Buffer.from(text), random)),
  }),
  ({ text }, random) => ({
    kind: 'a stretch of random bytes',
    content: gzipSync(scribble(Buffer.from(text), random)),
  }),
  ({ text }, random) => ({
    kind: 'a stretch of the zipped file overwritten',
    content: scribble(gzipSync(text), random),
  }),
  ({ text }, random) => ({
    kind: 'a stretch missing from the zipped file',
    content: omit(gzipSync(text), random),
  }),
  ({ text }, random) => ({
    kind: 'a garbage line',
    content: gzipSync(insertLine(text, garbage(random), random)),
  }),
  ({ text }, random) => ({
    kind: 'a garbage line in place of another',
    content: gzipSync(replaceLine(text, garbage(random), random)),
  }),
  ({ text }, random) => ({ kind: 'a line twice', content: gzipSync(replaceLine(text, '$&\n$&', random)) }),
  ({ text }, random) => ({ kind: 'a line missing', content: gzipSync(replaceLine(text, null, random)) }),
  ({ text }) => ({ kind: 'twice the whole', content: gzipSync(text + text) }),
  ({ text }) => ({ kind: 'zipped twice', content: gzipSync(gzipSync(text)) }),
  ({ others }, random) => ({ kind: 'a foreign file', content: pick(others, random) }),
  ({ others }, random) => ({ kind: 'a foreign file, zipped', content: gzipSync(pick(others, random)) }),
  (_, random) => ({ kind: 'random bytes', content: bytes(1 + Math.floor(random() * 100_000), random) }),
  (_, random) => ({ kind: 'empty', content: pick([Buffer.alloc(0), gzipSync('')], random) }),
  () => ({ kind: 'a folder', content: null }),
  (_, random) => {
    bomb ??= gzipSync(Buffer.alloc(bombBytes, 'x'));
    return { kind: 'a bomb', content: random() < 0.5 ? bomb : gzipSync(Buffer.alloc(bombBytes)) };
  },
  ({ text }) => ({ kind: 'whole, and stopped at a random moment', content: gzipSync(text), isStopped: true }),
];

/** Returns a damaged file; the first ones are one of each kind. */
export function damage(undamaged: Undamaged, index: number, random: Random): DamagedFile {
  const edits = Object.entries(undamaged.edits).map(
    ([kind, edit]): Damage =>
      ({ text }) => ({ kind, content: gzipSync(edit(text, random)) }),
  );
  const all = [...kinds, ...edits];
  return (all[index] ?? pick(all, random))(undamaged, random);
}

const at = (length: number, random: Random): number => Math.floor(random() * length);

function flip(of: Buffer, random: Random): Buffer {
  const place = at(of.length, random);
  of[place] = (of[place] ?? 0) ^ (1 << at(8, random));
  return of;
}

const cut = (of: Buffer, random: Random): Buffer => of.subarray(0, 1 + at(of.length - 1, random));

function scribble(of: Buffer, random: Random): Buffer {
  bytes(1 + at(200, random), random).copy(of, at(of.length, random));
  return of;
}

function omit(of: Buffer, random: Random): Buffer {
  const from = at(of.length - 1, random);
  return Buffer.concat([of.subarray(0, from), of.subarray(from + 1 + at(200, random))]);
}

function bytes(length: number, random: Random): Buffer {
  return Buffer.from(Array.from({ length }, () => at(256, random)));
}

const garbage = (random: Random): string =>
  pick(
    [
      'garbage',
      '\\.',
      '{}',
      '[]',
      '\0',
      '{"end":true}',
      'COPY "market" FROM stdin;',
      '\t'.repeat(1 + at(40, random)),
      '['.repeat(100_000),
      '"\\ud800"',
      'x'.repeat(5_000_000),
    ],
    random,
  );

function insertLine(text: string, line: string, random: Random): string {
  const lines = text.split('\n');
  lines.splice(at(lines.length, random), 0, line);
  return lines.join('\n');
}

/** With `$&` for the original line; null removes it. */
export function replaceLine(text: string, line: string | null, random: Random): string {
  const lines = text.split('\n');
  const place = at(lines.length - 1, random);
  const put = line?.replaceAll('$&', () => lines[place] ?? '');
  lines.splice(place, 1, ...(put === undefined ? [] : [put]));
  return lines.join('\n');
}
