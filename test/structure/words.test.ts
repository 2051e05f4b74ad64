import { describe, expect, it } from 'vitest';
import { readFiles, readText, withoutComments } from './source-files.ts';

/** Words of a private language, with what the field says. */
const everywhere: Readonly<Record<string, RegExp>> = {
  outlier: /\bjoke( price)?s?\b/i,
  request: /\bwish(es)?\b/i,
  'failed jobs': /\bdead[ -]letters?\b|\bjobs? given up\b|\bgiven up\b|\bgave up\b/i,
  'presence interval': /\bpresence spans?\b/i,
  'price interval': /\bprice runs?\b/i,
  'all-in price of the usage profile': /\bprice of the job\b/i,
  'price per GPU': /\bprice a GPU\b|\bprices a GPU\b/i,
  'unknown parameter': /no parameter of this address/i,
  'Cannot listen on HOST:PORT': /cannot be listened on/i,
  'Invalid configuration': /settings are not usable/i,
  'Unknown …': /\bis no (model|setting|parameter|filter|name) of\b/i,
  'sync (of bills)': /\bcomplete readings? of (invoices|charges|bills)\b/i,
  'e-mail': /\bmails\b/,
  '5%': /\d %(?! ?\(?\d)|\} %(?! \(?\d)/,
};

/** In comments: riddles where a reader has to guess the subject. */
const comments: Readonly<Record<string, RegExp>> = {
  'not scheduled': /nobody's (schedule|tick)/i,
  'Returns …, or null if there is none': /null: (it is|there is) none of\b/i,
  'Deletes a …': /\*\* Forgets (a|an|the) /,
  'Revokes, deletes': /\*\* Ends a (rule|watch|token|channel|link)\b/,
  'price interval': /\bprice runs?\b/i,
  'a plain verb with its subject':
    /^\s*(\/?\*+|\/\/) .*\b(what there is|g(oes|one) on with|ma(de|kes) again|worked out|anew|so (many|long))\b/,
};

/** British spellings of words that appear in American English elsewhere in the project. */
const british: Readonly<Record<string, RegExp>> = {
  '-or': /(?:col|behavi|fav|hon|lab|neighb|flav|hum)our(?!ce)/i,
  '-ize':
    /(?:author|normal|serial|initial|optim|recogn|organ|minim|maxim|summar|custom|categor|synchron|final|standard|sanit)is(?:e|ing|ation)/i,
  '-led': /\b(?:un)?(?:label|cancel|travel|model|signal)l(?:ed|ing)(?!by)/i,
  '-er': /\bcentre|\bmetre/i,
  license: /\blicence/i,
};

/** On labels, options and messages alone: ordinary English elsewhere. */
const labels: Readonly<Record<string, RegExp>> = {
  ...everywhere,
  'Rent…, without a space': / …/,
  Interval: /\b(point|bar) a\b/i,
  'Asking price': /\basks? now\b/i,
  ongoing: /\bgoes on\b/i,
  Total: /\bin all\b/i,
  'revoke, delete': /\bEnd (this|the) (token|watch|rule)\b/i,
  'Max $/hour': /\bat most \$/i,
  'notify, message': /\bTell\b(?! you)/,
};

const exportedNames =
  /export (?:async )?(?:const|function|type|interface|class) (\w*(?:Wish|Joke|GuardNo|Insight|Warmth|Told|Noted|DeadLetter)\w*|(?:most|longest|least|fewest)[A-Z]\w*)/g;
const jsonNames = /^(joke|isJoke|wish|wishes|memory|deadLetters|givenUpAt|runs|spans|readings)$/;

const found = (where: string, text: string, words: Readonly<Record<string, RegExp>>): string[] =>
  text.split('\n').flatMap((line, index) =>
    Object.entries(words)
      .filter(([, pattern]) => pattern.test(line))
      .map(([say]) => `${where}:${index + 1}: say "${say}": ${line.trim().slice(0, 80)}`),
  );

describe('plain words', () => {
  it('are all that documents use', () => {
    const pages = readFiles('docs', ['.md']);
    const own = ['README.md', 'CONTRIBUTING.md'].map((path) => ({ path, text: readText(path) }));
    expect(pages.length).toBeGreaterThan(20);
    expect([...pages, ...own].flatMap(({ path, text }) => found(path, text, everywhere))).toEqual([]);
  });

  it('are on every label of the page', () => {
    const files = readFiles('web', ['.ts', '.tsx']);
    expect(files.length).toBeGreaterThan(80);
    const shown = files.map(({ path, text }) => ({ path, text: withoutComments(text) }));
    expect(shown.flatMap(({ path, text }) => found(path, text, labels))).toEqual([]);
  });

  it('are in every option and description of the commands', () => {
    const commands = readFiles('src', ['.command.ts']);
    expect(commands.length).toBeGreaterThan(20);
    const said = commands.map(({ path, text }) => ({
      path,
      text: text.replace(/^(?!.*(option|description|Option|print|note|Error)\().*$/gm, ''),
    }));
    expect(said.flatMap(({ path, text }) => found(path, text, labels))).toEqual([]);
  });

  it('write percentages without a space, in every message', () => {
    const spaced = { '5%': /\$\{[^}]*\} %|\d % [a-z]|\d %[`'"]/ };
    const said = readFiles('src', ['.ts']).map(({ path, text }) => ({ path, text: withoutComments(text) }));
    expect(said.flatMap(({ path, text }) => found(path, text, spaced))).toEqual([]);
    expect(found('code', '`$' + '{share} % of it`', spaced)).toHaveLength(1);
  });

  it('are in comments', () => {
    const files = [...readFiles('src', ['.ts']), ...readFiles('web', ['.ts', '.tsx'])];
    expect(files.length).toBeGreaterThan(600);
    expect(files.flatMap(({ path, text }) => found(path, text, comments))).toEqual([]);
  });

  it('are spelled as in American English, in names, comments, documents and tests', () => {
    const code = ['src', 'web', 'test', 'prove', 'bench', 'scripts'].flatMap((folder) =>
      readFiles(folder, ['.ts', '.tsx', '.css']),
    );
    const documents = [...readFiles('docs', ['.md']), { path: 'README.md', text: readText('README.md') }];
    const read = [...code, ...documents].filter(({ path }) => path !== 'test/structure/words.test.ts');
    expect(read.length).toBeGreaterThan(1000);
    expect(read.flatMap(({ path, text }) => found(path, text, british))).toEqual([]);
    expect(found('code', 'const seriesColours = 6; // labelled', british)).toHaveLength(2);
  });

  it('have no objects that are spread only to pack lines', () => {
    const packs = { 'each field on its own': /\.\.\.\{(\s|$)/ };
    const files = [...readFiles('src', ['.ts']), ...readFiles('web', ['.ts', '.tsx'])];
    expect(files.flatMap(({ path, text }) => found(path, text, packs))).toEqual([]);
    expect(found('code', 'return { ...{ a, b } };', packs)).toHaveLength(1);
  });

  it("are the names of the API's parameters and fields", () => {
    const names = new Set<string>();
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { properties, name } = value as { properties?: object; name?: unknown };
      for (const each of Object.keys(properties ?? {})) names.add(each);
      if (typeof name === 'string') names.add(name);
      Object.values(value).forEach(walk);
    };
    walk(JSON.parse(readText('docs/openapi.json')));
    expect(names.size).toBeGreaterThan(200);
    expect([...names].filter((name) => jsonNames.test(name))).toEqual([]);
  });

  it('are the exported names', () => {
    const files = [...readFiles('src', ['.ts']), ...readFiles('web', ['.ts', '.tsx'])];
    const named = files.flatMap(({ path, text }) =>
      [...text.matchAll(exportedNames)].map(([, name]) => `${path}: ${name}`),
    );
    expect(named).toEqual([]);
  });

  it('are enforced: a planted private word is found', () => {
    expect(found('page', 'label="A point a"', labels)).toHaveLength(1);
    expect(found('page', 'the wish of a rent', everywhere)).toHaveLength(1);
    expect(found('page', '`x` is no model of this market', labels)).toHaveLength(1);
    expect(found('code', "/** null: nobody's schedule. */", comments)).toHaveLength(1);
    expect(found('code', '/** The most of what there is. */', comments)).toHaveLength(1);
    expect([...'export const mostModels = 6'.matchAll(exportedNames)]).toHaveLength(1);
  });
});
