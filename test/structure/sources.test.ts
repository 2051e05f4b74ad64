import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clientCases, serverCases } from '../contract/contract-cases.ts';
import { specificationRows } from '../contract/specification-rows.ts';
import { readFiles, readText, root, type SourceFile } from './source-files.ts';

const folders = ['src', 'web', 'test', 'bench', 'prove', 'scripts'];
const endings = ['.ts', '.tsx', '.mjs', '.css'];

/** Documents that lie elsewhere, and sections by number of a document that is not named. */
const elsewhere =
  /\b(semantics|design|words|peers|marketplace-(api|facts))\.md|marketplace facts|\b(the|interface) specification\b|specification section|\bsections? \d/i;
const documented = /docs\/[\w./-]+\.md(?:#[\w-]+)?/g;
const oneSource = /^(docs\/[\w./-]+\.md(#[\w-]+)?|RFC \d+( \d+(\.\d+)*)?)$/;

/** Returns the wrong citations in a file's comments, one line each. */
function citationProblems({ path, text }: SourceFile): string[] {
  const comments = [...text.matchAll(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*$/gm)].map(([comment]) => comment);
  return comments.flatMap((comment) => {
    const plain = comment.replace(/\s*\*\/$/, '').replace(/\s*\n\s*\*? ?/g, '\n');
    const sources = [...plain.matchAll(/Source\b[^:\n]*:(.*)/g)].flatMap(([, cited = '']) =>
      cited.trim().replace(/\.$/, '').split(', '),
    );
    const strange = sources.filter((source) => !oneSource.test(source));
    const missing = [...plain.matchAll(documented)].map(([link]) => link).filter((link) => !isThere(link));
    const outside = elsewhere.exec(plain.replace(/\s+/g, ' '))?.[0];
    return [
      ...strange.map((source) => `${path}: Source: ${source}`),
      ...missing.map((link) => `${path}: ${link}`),
      ...(outside === undefined ? [] : [`${path}: ${outside}`]),
    ];
  });
}

/** Whether a document of the repository has that heading, or is there, where none is named. */
function isThere(link: string): boolean {
  const [path = '', slug] = link.split('#');
  return existsSync(join(root, path)) && (slug === undefined || headingSlugs(path).includes(slug));
}

/** The anchors that GitHub gives the headings of a document. */
function headingSlugs(path: string): string[] {
  const withoutCode = readText(path).replace(/^```[\s\S]*?^```/gm, '');
  return [...withoutCode.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => slugOf(heading));
}

const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/ /g, '-');

describe('comments', () => {
  it.each(folders)('of %s cite sections that the repository has', (folder) => {
    const files = readFiles(folder, endings).filter(({ path }) => path !== 'test/structure/sources.test.ts');
    expect(files.flatMap(citationProblems)).toEqual([]);
  });

  it('are searched for what is not there', () => {
    const problemsOf = (text: string) => citationProblems({ path: 'a.ts', text });
    expect(problemsOf('/** Rent. Source: docs/meaning.md#never-twice, RFC 9110 10.2.3. */')).toEqual([]);
    expect(problemsOf("const at = 'the specification';")).toEqual([]);
    expect(problemsOf('/**\n * Rent.\n * Source: docs/meaning.md#nowhere.\n */')).toEqual([
      'a.ts: docs/meaning.md#nowhere',
    ]);
    expect(problemsOf('// Source: docs/nothing.md')).toEqual(['a.ts: docs/nothing.md']);
    expect(problemsOf('/** Source: somewhere. */')).toEqual(['a.ts: Source: somewhere']);
    expect(problemsOf('/** As semantics.md has it. */')).toEqual(['a.ts: semantics.md']);
    expect(problemsOf('/** By the marketplace\n * facts. */')).toEqual(['a.ts: marketplace facts']);
    expect(problemsOf('/** A search, specification\n * section 4.2. */')).toHaveLength(1);
    expect(problemsOf('const a = 1; // Section 4.2')).toEqual(['a.ts: Section 4']);
  });
});

describe('docs/marketplace.md', () => {
  it('has a heading for each section that the contract names', () => {
    const headings = [...readText('docs/marketplace.md').matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)];
    const numbers = new Set(headings.map(([, number]) => number));
    const named = [...specificationRows, ...serverCases(), ...clientCases()].map(({ section }) => section);
    const unknown = named.filter((section) => !numbers.has(/^\d+(\.\d+)?/.exec(section)?.[0]));
    expect([...new Set(unknown)]).toEqual([]);
    expect(named.length).toBeGreaterThan(100);
  });
});
