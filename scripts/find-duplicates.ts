import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { knownDuplicates } from './known-duplicates.ts';

/** Minimum number of consecutive lines that two places share. */
const minLines = 6;
/** A shape in more places than this comes from the language or a framework, not from copying. */
const maxPlaces = 8;
/** Maximum number of pairs with a reason to stay. */
const maxPairs = 20;

const print = (...words: string[]): void => void process.stdout.write(`${words.join(' ').trimEnd()}\n`);
const root = join(import.meta.dirname, '..');
const words =
  /^(?:as|async|await|break|case|catch|const|continue|default|delete|do|else|export|extends|finally|for|from|function|if|implements|in|instanceof|interface|keyof|let|new|null|of|readonly|return|satisfies|static|switch|this|throw|true|false|try|type|typeof|undefined|void|while|yield)$/;

/** A counted line, trimmed; comments, imports and declarations of routes are left out. */
interface Line {
  /** Counted from 1. */
  number: number;
  text: string;
  /** The line with all names, strings and numbers replaced. */
  shape: string;
}

interface Place {
  file: string;
  at: number;
}

interface Run {
  left: Place;
  right: Place;
  lines: number;
}

function sourceFiles(): string[] {
  return ['src', 'web'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((path) => !/\/dist\//.test(path))
      .sort(),
  );
}

/** Returns the counted lines of a file. */
function linesOf(source: string): Line[] {
  const bare = source
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/^(?:import|export)\b[^;]*?\bfrom\s+'[^']*';$/gm, (statement) => statement.replace(/[^\n]/g, ''))
    .replace(/^const \w+ = createRoute\(\{[\s\S]*?^\}\);$/gm, (route) => route.replace(/[^\n]/g, ''))
    .replace(/^\s*\/\/.*$/gm, '');
  return bare
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line.trim(), shape: shapeOf(line.trim()) }))
    .filter(({ text }) => /\w/.test(text));
}

const shapeOf = (text: string): string =>
  text
    .replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g, "''")
    .replace(/\b\d[\d_.]*\b/g, '0')
    .replace(/[A-Za-z_$][\w$]*/g, (word) => (words.test(word) ? word : 'a'));

/** Whether a shape is meaningful: more than brackets and keywords, and not a list of fields. */
const isTelling = (lines: readonly Line[]): boolean =>
  new Set(lines.map(({ shape }) => shape)).size >= 4 &&
  lines.filter(({ shape }) => (shape.match(/\ba\b/g)?.length ?? 0) >= 3).length * 2 >= lines.length;

/** Returns the longest sequences of lines that two places share by `key`. */
function findRuns(
  files: ReadonlyMap<string, readonly Line[]>,
  key: (line: Line) => string,
  counts: (window: readonly Line[]) => boolean,
): Run[] {
  const windows = new Map<string, Place[]>();
  for (const [file, lines] of files) {
    for (let at = 0; at + minLines <= lines.length; at += 1) {
      const window = lines.slice(at, at + minLines);
      if (!counts(window)) continue;
      const text = window.map(key).join('\n');
      const places = windows.get(text);
      if (places === undefined) windows.set(text, [{ file, at }]);
      else places.push({ file, at });
    }
  }
  const runs: Run[] = [];
  const lineAt = ({ file, at }: Place, step: number): string | null => {
    const line = files.get(file)?.[at + step];
    return line === undefined ? null : key(line);
  };
  for (const places of windows.values()) {
    if (places.length < 2 || places.length > maxPlaces) continue;
    for (const [index, left] of places.entries()) {
      for (const right of places.slice(index + 1)) {
        // Only at its beginning, where the line before differs.
        const before = lineAt(left, -1);
        if (before !== null && before === lineAt(right, -1)) continue;
        let lines = minLines;
        while (lineAt(left, lines) !== null && lineAt(left, lines) === lineAt(right, lines)) lines += 1;
        const overlaps = left.file === right.file && Math.abs(left.at - right.at) < lines;
        if (!overlaps) runs.push({ left, right, lines });
      }
    }
  }
  return runs;
}

const files = new Map(
  sourceFiles().map((path) => [path, linesOf(readFileSync(join(root, path), 'utf8'))] as const),
);
const pairs = new Map<string, Run>();
const always = (): boolean => true;
const runs = [
  ...findRuns(files, ({ text }) => text, always),
  ...findRuns(files, ({ shape }) => shape, isTelling),
];
for (const run of runs) {
  const name = `${run.left.file} ~ ${run.right.file}`;
  const known = pairs.get(name);
  if (known === undefined || known.lines < run.lines) pairs.set(name, run);
}
const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } });
const numberAt = ({ file, at }: Place): number => files.get(file)?.[at]?.number ?? 0;
const unknown = [...pairs].filter(([name]) => knownDuplicates[name] === undefined);
const gone = Object.keys(knownDuplicates).filter((name) => !pairs.has(name));
for (const [name, { left, right, lines }] of (values.all ? [...pairs] : unknown).sort(
  ([, a], [, b]) => b.lines - a.lines,
)) {
  print(
    `${lines} lines: ${left.file}:${numberAt(left)} ~ ${right.file}:${numberAt(right)}`,
    knownDuplicates[name] ?? '',
  );
}
print(`${pairs.size} pairs of places share ${minLines} lines or more; at most ${maxPairs} may.`);
if (unknown.length > 0) print(`${unknown.length} of them have no reason in scripts/known-duplicates.ts.`);
for (const name of gone) print(`${name} is no pair any more: take it out of scripts/known-duplicates.ts.`);
if (pairs.size > maxPairs || unknown.length > 0 || gone.length > 0) process.exitCode = 1;
