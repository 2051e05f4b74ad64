import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import { defaultDialect, parseDialect } from '../../src/market/vast/dialect.ts';

const page = readFileSync(new URL('../../docs/dialect.md', import.meta.url), 'utf8');

describe('docs/dialect.md', () => {
  it('lists every key of the dialect and no other', () => {
    const listed = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, key]) => key);
    const keys = Object.entries(defaultDialect).flatMap(([group, each]) =>
      Object.keys(each).map((key) => `${group}.${key}`),
    );
    expect(listed).toEqual(keys);
  });

  it('shows a file of the defaults, which changes nothing', () => {
    const [, example] = /```json\n([\s\S]+?)\n```/.exec(page) ?? [];
    expect(JSON.parse(String(example))).toEqual(defaultDialect);
    expect(parseDialect(String(example), 'example')).toEqual(defaultDialect);
  });
});

describe('a dialect file', () => {
  it('changes the settings that it names and no others', () => {
    const dialect = parseDialect(
      '{"search":{"typeNames":{"bid":"spot"}},"minIntervalSeconds":{"searchOffers":1.5}}',
      'd',
    );
    expect(dialect).toEqual({
      ...defaultDialect,
      search: { ...defaultDialect.search, typeNames: { ...defaultDialect.search.typeNames, bid: 'spot' } },
      minIntervalSeconds: { ...defaultDialect.minIntervalSeconds, searchOffers: 1.5 },
    });
  });

  it.each([
    ['{"serach":{}}', 'serach'],
    ['{"search":{"pth":"/x"}}', 'search: Unrecognized key: "pth"'],
    ['{"search":{"path":"bundles"}}', 'search.path: expected a path that begins with /'],
    ['{"search":{"pageLimit":0}}', 'search.pageLimit'],
    ['{"search":{"fixedFilters":{"a":{"like":1}}}}', 'search.fixedFilters.a'],
    ['{"search":{"fixedFilters":{"a":{}}}}', 'search.fixedFilters.a: expected one operator and its value'],
    ['{"search":{"fixedFilters":{"id":{"gt":1}}}}', 'set by the search itself'],
    ['{"instances":{"path":"/api/v0/instances/"}}', 'instances.path: expected a path with {id} in it'],
    ['{"instances":{"createMethod":"GET"}}', 'instances.createMethod'],
    ['{"minIntervalSeconds":{"searchOffers":-1}}', 'minIntervalSeconds.searchOffers'],
    ['[]', 'the whole'],
    ['{', 'is not JSON'],
  ])('is refused with one line that names the mistake: %s', (text, expected) => {
    const parse = () => parseDialect(text, 'MARKET_DIALECT /etc/dialect.json');
    expect(parse).toThrow(UserError);
    expect(parse).toThrow(expected);
    expect(parse).toThrow(/^MARKET_DIALECT \/etc\/dialect\.json[^\n]*$/);
  });

  it('is refused with all of its mistakes at once', () => {
    expect(() => parseDialect('{"a":1,"search":{"pageLimit":"x","path":1}}', 'd')).toThrow(
      /search\.path.*search\.pageLimit.*"a"/,
    );
  });
});
