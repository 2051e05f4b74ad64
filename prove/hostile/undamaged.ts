import { gzipSync } from 'node:zlib';
import { createBuiltInSimulator } from '../../src/service/open-market.ts';
import { replaceLine, type Undamaged } from './damage.ts';
import { pick, type Random } from './pick.ts';

const offersABook = 40;

/** A file of recorded books of two moments, as JSON lines. */
export function recordedFile(at: Date): string {
  const body = {
    ...{ type: 'on-demand', limit: offersABook, order: [['id', 'asc']], allocated_storage: 8 },
    ...{ rentable: { eq: true }, rented: { eq: false } },
  };
  const answer = createBuiltInSimulator().search(body, at);
  if (answer.status !== 200) throw new Error(`the simulator refused: ${JSON.stringify(answer.body)}`);
  const lines = [at, new Date(at.getTime() + 1_000)].flatMap((moment) =>
    (answer.body.offers as object[]).map((offer) =>
      JSON.stringify({ ...offer, scraped_at: moment.toISOString(), rental_type: 'ondemand' }),
    ),
  );
  return `${lines.join('\n')}\n`;
}

/** Recorded books as they may come to `offerbook import`. */
export function undamagedImport(at: Date, backup: Buffer): Undamaged {
  const text = recordedFile(at);
  return {
    text,
    others: [backup, Buffer.from('%PDF-1.7\n'), Buffer.from('a,b\n1,2\n'), Buffer.from('<html></html>')],
    edits: {
      'a field of another kind': (of, random) => editField(of, pick(values, random), random),
      'a field of another kind in every line': (of, random) => {
        const name = pick(Object.keys(JSON.parse(of.split('\n', 1)[0] ?? '{}') as object), random);
        const value = pick(values, random);
        return of
          .trimEnd()
          .split('\n')
          .map((line) => withField(line, name, value))
          .join('\n');
      },
      'a line of many levels': (of, random) =>
        editField(of, JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`), random),
      'a text in a text encoding of long ago': (of) => Buffer.from(of).toString('utf16le'),
    },
  };
}

const values: readonly unknown[] = [
  ...[null, true, -1, 0, 1e308, 1e15, 0.1, '', 'x', '\0', 'a\0b', '\ud800', '\u001b[31mred', {}, [], [{}]],
  ...['x'.repeat(1_000_000), '0001-01-01T00:00:00Z', '2026-02-30T00:00:00Z', 'NaN', '9'.repeat(400)],
];

function editField(text: string, value: unknown, random: Random): string {
  const lines = text.trimEnd().split('\n');
  const place = Math.floor(random() * lines.length);
  const names = Object.keys(JSON.parse(lines[place] ?? '{}') as object);
  lines[place] = withField(lines[place] ?? '{}', pick(names, random), value);
  return lines.join('\n');
}

const withField = (line: string, name: string, value: unknown): string =>
  JSON.stringify({ ...(JSON.parse(line) as object), [name]: value });

/** A backup as it may come to `offerbook restore`: its text, and the same as older versions wrote it. */
export function undamagedBackup(text: string, at: Date): Undamaged {
  const old = (of: string): string => of.replace(/,"sha256":"[0-9a-f]+"/, '');
  const block = /COPY "(?:listing|book|market|presence)" [^\0]*?\n\\\.\n/;
  return {
    text,
    others: [
      Buffer.from(recordedFile(at)),
      gzipSync(recordedFile(at)),
      Buffer.from('PGDMP\u0001'),
      Buffer.from('{"kind":"offerbook-backup"}\n'),
    ],
    edits: {
      'of an older version, a garbage line among rows': (of) =>
        old(of).replace(/(COPY "listing" .*;\n).*\n/, '$1garbage\n'),
      'of an older version, a garbage line in place of another': (of, random) =>
        replaceLine(old(of), 'garbage', random),
      'of an older version, a row twice': (of, random) => replaceLine(old(of), '$&\n$&', random),
      'a table missing': (of) => of.replace(block, ''),
      'a table twice': (of) => of.replace(block, '$&$&'),
      'a table of another name': (of) => of.replace('COPY "market"', 'COPY "pg_authid"'),
      'a partition of another kind': (of) =>
        old(of).replace(/"bound":"[^"]*"/, '"bound":"DEFAULT; drop table market"'),
    },
  };
}
