/** The state of a checkout that is to be released. */
export interface ReleaseState {
  branch: string;
  /** What `git status --porcelain` lists. */
  changes: string;
  tags: readonly string[];
  version: string;
  /** Versions by the file that repeats them. */
  repeated: Readonly<Record<string, string>>;
  changelog: string;
}

/** Returns why this is no release, a sentence each. */
export function releaseProblems(state: ReleaseState): string[] {
  const { branch, changes, tags, version, repeated, changelog } = state;
  const [newest = '', ...older] = changelog.split(/^## (?!\[Unreleased\])/m).slice(1);
  const [heading = ''] = newest.split('\n');
  const unreleased = /^## \[Unreleased\]\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog)?.[1] ?? '';
  return [
    [branch !== 'main', `This is the branch ${branch}: a release is made on main.`],
    [changes !== '', `There are changes that are not committed:\n${changes}`],
    [tags.includes(`v${version}`), `The tag v${version} exists: raise the version in package.json.`],
    ...Object.entries(repeated).map(([file, said]): [boolean, string] => [
      said !== version,
      `${file} says ${said}, package.json ${version}: run npm install --package-lock-only and npm run openapi.`,
    ]),
    [
      heading.replace(/\d{4}-\d\d-\d\d$/, 'DATE') !== `[${version}] - DATE`,
      `The newest section of CHANGELOG.md is "${heading}", not "[${version}] - YYYY-MM-DD".`,
    ],
    [!/^- /m.test(newest), `CHANGELOG.md says nothing of ${version}.`],
    [
      older.some((section) => section.startsWith(`[${version}]`)),
      `CHANGELOG.md has two sections of ${version}.`,
    ],
    [unreleased.trim() !== '', `CHANGELOG.md has changes under Unreleased: move them to ${version}.`],
  ].flatMap(([isProblem, words]) => (isProblem === true ? [String(words)] : []));
}

/** Returns what CHANGELOG.md says of its newest version, without the heading. */
export const releaseNotes = (changelog: string): string =>
  `${(changelog.split(/^## (?!\[Unreleased\]).*\n/m)[1] ?? '').trim()}\n`;
