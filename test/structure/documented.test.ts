import { describe, expect, it } from 'vitest';
import { documentCommands, leavesOf } from '../../scripts/command-tables.ts';
import { createProgram } from '../../src/cli.ts';
import { settings } from '../../src/service/config.ts';
import { secretSettings } from '../../src/service/read-settings.ts';
import type { ServiceContext } from '../../src/service/service-context.ts';
import { readText } from './source-files.ts';

/** Commands are listed here, never run. */
const unusedContext = {} as ServiceContext;
const codeOnly = /^`([^`]+)`$/;

describe('docs/settings.md', () => {
  const text = readText('docs/settings.md');
  const rows = [...text.matchAll(/^\| `([A-Z\d_]+)` \| (.*?) \|/gm)].map(
    ([, name, shown]) => [name ?? '', shown ?? ''] as const,
  );
  const defaults = Object.entries(settings).map(([name, schema]) => {
    const { data } = schema.safeParse(undefined);
    return [name, data === undefined ? null : String(data)] as const;
  });

  it('has a row for every setting, and no other', () => {
    expect(rows.map(([name]) => name).sort()).toEqual(Object.keys(settings).sort());
  });

  it('states every default', () => {
    // A setting without a default says in words what happens: never a bare value.
    const stated = rows.map(([name, shown]) => [name, codeOnly.exec(shown)?.[1] ?? null] as const);
    expect(new Map(stated)).toEqual(new Map(defaults));
  });

  it('names the file twin of every secret, and no other', () => {
    const twins = [...text.matchAll(/`([A-Z_]+)_FILE`/g)].map(([, name]) => name);
    expect([...new Set(twins)].filter((name) => name !== 'NAME').sort()).toEqual([...secretSettings].sort());
  });
});

const program = createProgram(unusedContext);

describe('docs/commands.md', () => {
  const sections = new Map(
    readText('docs/commands.md')
      .split(/^## /m)
      .slice(1)
      .map((section) => [/^`offerbook ([^`]+)`/.exec(section)?.[1] ?? '', section]),
  );
  const commands = new Map(leavesOf(program, []));

  it('has a section for every command, and no other', () => {
    expect([...sections.keys()].sort()).toEqual([...commands.keys()].sort());
  });

  it('has the same option tables as the code', () => {
    const text = readText('docs/commands.md');
    expect(documentCommands(text, createProgram(unusedContext))).toBe(text);
    expect(() =>
      documentCommands(text.replace('## `offerbook rank`', '## `offerbook rnk`'), program),
    ).toThrow('rnk');
    expect(documentCommands(text.replaceAll(/^\| `--bucket.*\n/gm, ''), program)).toBe(text);
  });

  it.each([...commands])('`%s --help` ends with an example', (path, command) => {
    const help: string[] = [];
    command.configureOutput({ writeOut: (part) => void help.push(part) }).outputHelp();
    expect(help.join('')).toMatch(new RegExp(`Example:\\n.*offerbook ${path}`));
  });
});

describe('`--help` of a group', () => {
  it.each(
    program.commands
      .filter(({ commands }) => commands.length > 0)
      .map((group) => [group.name(), group] as const),
  )('ends with an example: %s', (name, group) => {
    const help: string[] = [];
    group.configureOutput({ writeOut: (part) => void help.push(part) }).outputHelp();
    expect(help.join('')).toMatch(new RegExp(`Example:\\n  offerbook ${name} `));
  });
});

describe('docs/api.md', () => {
  it('shows every route of docs/openapi.json', () => {
    const api = JSON.parse(readText('docs/openapi.json')) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const methods = ['get', 'post', 'put', 'patch', 'delete'];
    const routes = Object.entries(api.paths).flatMap(([path, item]) =>
      methods
        .filter((method) => item[method] !== undefined)
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    const shown = [
      ...readText('docs/api.md').matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`?]*)[^`]*`/g),
    ].map(([, route]) => route);
    expect(routes.filter((route) => !shown.includes(route))).toEqual([]);
    expect(routes.length).toBeGreaterThan(5);
  });
});
