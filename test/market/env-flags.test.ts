import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import { buildEnvFlags, findEnvProblems, parseEnvFlags } from '../../src/market/env-flags.ts';

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/);
const value = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', ' ', "'", '"', '\\', '$', '=', '\n', '\t', '-e', '`', 'é', '!', '#'),
  }),
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
);
const port = fc.integer({ min: 1, max: 65_535 });
const mapping = fc.tuple(port, port, fc.constantFrom('', '/tcp', '/udp'));
const env = fc
  .tuple(fc.array(fc.tuple(name, value)), fc.array(mapping))
  .map(([variables, ports]) =>
    Object.fromEntries([
      ...variables,
      ...ports.map(([host, container, protocol]) => [`-p ${host}:${container}${protocol}`, '1']),
    ]),
  );

describe('env flags', () => {
  it('survive a round trip: any environment that may be sent is read back unchanged', () => {
    fc.assert(
      fc.property(env, (entries) => {
        expect(findEnvProblems(entries)).toEqual([]);
        expect(parseEnvFlags(buildEnvFlags(entries))).toEqual({ env: entries, rest: [] });
      }),
      { numRuns: 500 },
    );
  });

  it('are stable: parsing them and building them again gives the same text', () => {
    fc.assert(
      fc.property(env, (entries) => {
        const text = buildEnvFlags(entries);
        const { env: read, rest } = parseEnvFlags(text);
        expect(buildEnvFlags(read, rest)).toBe(text);
      }),
    );
  });

  it.each<[string, object, string[]]>([
    ['', {}, []],
    ['  ', {}, []],
    ['-e A=1 -p 8080:80', { A: '1', '-p 8080:80': '1' }, []],
    ['-p 22:22/udp -e A=b=c', { '-p 22:22/udp': '1', A: 'b=c' }, []],
    [
      `-e A="b c" -e B='d "e"' -e C=f\\ g -e D="h\\"i\\\\j"`,
      { A: 'b c', B: 'd "e"', C: 'f g', D: 'h"i\\j' },
      [],
    ],
    [`-e A="$HOME \\n" -e B=x'y'"z"`, { A: '$HOME \\n', B: 'xyz' }, []],
    ['-e A=', { A: '' }, []],
    ['-e A=1 -e A=2', { A: '2' }, []],
    ['--env A=1 --env=B=2 --publish 1:2', { A: '1', B: '2', '-p 1:2': '1' }, []],
    ['-e A=1\n-e B=2\t-p 1:1', { A: '1', B: '2', '-p 1:1': '1' }, []],
    ['-e __proto__=x', Object.fromEntries([['__proto__', 'x']]), []],
    ['--gpus all -e A=1', { A: '1' }, ['--gpus', 'all']],
    ['-e A -e B=1 -e', { B: '1' }, ['-e', 'A', '-e']],
  ])('are parsed: %j', (text, expected, rest) => {
    expect(parseEnvFlags(text)).toEqual({ env: expected, rest });
  });

  it.each([`-e A='b`, '-e A="b', '-e A=b\\', `-e A="b\\"`])(
    'are refused for an unclosed quote: %j',
    (text) => {
      expect(() => parseEnvFlags(text)).toThrow(UserError);
      expect(() => parseEnvFlags(text)).toThrow(/unclosed quote/);
    },
  );

  it('are written without quotes if nothing needs them', () => {
    const text = buildEnvFlags({ A: 'x/y:z', B: 'a b', C: "it's", D: `it's "so"`, E: '', '-p 1:2': '1' }, [
      '-h',
      'a b',
    ]);
    expect(text).toBe(`-e A=x/y:z -e B='a b' -e C="it's" -e D='it'\\''s "so"' -e E= -p 1:2 -h 'a b'`);
  });
});
