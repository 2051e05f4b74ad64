import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createListSplitter } from '../../../src/market/wire/list-splitter.ts';

/** What a body gives when it arrives in pieces that end at the places; undefined: it is no JSON. */
function split(body: Buffer, places: readonly number[]) {
  let elements: unknown[] | null = null;
  let lists = -1;
  const splitter = createListSplitter({
    key: 'offers',
    onList: () => {
      elements = [];
      lists += 1;
    },
    take: (element) => elements?.push(element),
  });
  let from = 0;
  for (const place of [...places, body.length].toSorted((a, b) => a - b)) {
    splitter.push(body.subarray(from, place));
    from = place;
  }
  const { rest, intact, replaced } = splitter.end();
  if (!intact) return undefined;
  try {
    return { rest: JSON.parse(rest.toString('utf8')), elements: elements ?? [], lists, replaced };
  } catch {
    return undefined;
  }
}

/** The value with what was split off put back. */
function whole(parts: ReturnType<typeof split>): unknown {
  if (parts === undefined) return undefined;
  const { rest, elements, lists } = parts;
  return lists > 0 && Array.isArray(rest.offers) ? { ...rest, offers: [...elements, ...rest.offers] } : rest;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const texts = fc.string({ unit: fc.constantFrom(...'offers"\\{}[],: é\u{1f600}\n'), maxLength: 8 });
const leaves = fc.oneof(texts, fc.integer(), fc.boolean(), fc.constant(null));
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaves,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(texts, fc.constant('offers')), tie('value'), { maxKeys: 3 }),
  ),
})).value;
const bodies = fc
  .tuple(values, fc.array(values, { maxLength: 5 }), values, fc.constantFrom(undefined, 1, '\t'))
  .map(([before, offers, after, indent]) => JSON.stringify({ before, offers, after }, null, indent));

describe('the list of an answer that is split off while it arrives', () => {
  it('equals, with the rest, the parsed whole, wherever the pieces end', () => {
    fc.assert(
      fc.property(bodies, fc.array(fc.nat()), (text, cuts) => {
        const body = Buffer.from(text);
        const parts = split(
          body,
          cuts.map((cut) => cut % (body.length + 1)),
        );
        expect(whole(parts)).toEqual(parsed(text));
        expect(parts?.elements).toEqual((parsed(text) as { offers: unknown[] }).offers);
        expect(parts?.rest.offers).toEqual([]);
      }),
    );
  });

  it('is reported as broken exactly if the whole is not JSON', () => {
    const damage = fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom('', ...'"[]{},:\\x \x01'));
    fc.assert(
      fc.property(bodies, damage, fc.array(fc.nat()), (text, [where, length, put], cuts) => {
        const at = where % (text.length + 1);
        const damaged = text.slice(0, at) + put + text.slice(at + length);
        // A pair of surrogates that was cut apart is no longer what was sent.
        fc.pre(damaged.isWellFormed());
        const body = Buffer.from(damaged);
        const places = cuts.map((cut) => cut % (body.length + 1));
        expect(whole(split(body, places))).toEqual(parsed(damaged));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each<[string, string, unknown[], unknown]>([
    ['nothing in it', '{"offers": [ \n]}', [], { offers: [] }],
    ['elements that are no objects', '{"offers":[1, "a", null, [2]]}', [1, 'a', null, [2]], { offers: [] }],
    ['the key as a value before', '{"a":"offers","offers":[1]}', [1], { a: 'offers', offers: [] }],
    ['the key inside of another', '{"a":{"offers":[1]}}', [], { a: { offers: [1] } }],
    ['the key in an element', '{"offers":[{"offers":[1]}]}', [{ offers: [1] }], { offers: [] }],
    ['no list under the key', '{"offers":{"id":1}}', [], { offers: { id: 1 } }],
    ['the key escaped', '{"off\\u0065rs":[1]}', [], { offers: [1] }],
    ['two lists: the last counts', '{"offers":[1],"offers":[2,3]}', [2, 3], { offers: [] }],
    ['a list first and an object then', '{"offers":[1],"offers":{"id":1}}', [1], { offers: { id: 1 } }],
  ])('is split off, or left in the rest: %s', (_name, text, elements, rest) => {
    expect(split(Buffer.from(text), [3, 7, 12])).toMatchObject({ elements, rest });
  });

  it.each([
    '{"offers":[1,]}',
    '{"offers":[,1]}',
    '{"offers":[1 2]}',
    '{"offers":[\x01]}',
    '{"offers":[1}',
    '{"offers":[1',
  ])('is reported as broken: %j', (text) => {
    expect(split(Buffer.from(text), [])).toBeUndefined();
  });

  it('counts the characters of its elements that are not UTF-8', () => {
    const body = Buffer.concat([Buffer.from('{"offers":["a'), Buffer.from([0xff]), Buffer.from('b"]}')]);
    expect(split(body, [5])).toMatchObject({ elements: ['a\uFFFDb'], replaced: 1 });
  });
});
