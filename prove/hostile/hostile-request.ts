import { gzipSync } from 'node:zlib';
import type { Operation, Schema } from './api-operations.ts';
import { hostileText, hostileValue } from './hostile-values.ts';
import { pick, type Random } from './pick.ts';
import type { RawRequest } from './raw-exchange.ts';
import { fitQuery, neededQuery, validBody } from './valid-bodies.ts';
import { type Surroundings, validParameter } from './valid-values.ts';

/** A request with at most one thing wrong. */
export interface HostileRequest {
  raw: RawRequest;
  /** What was made wrong: a parameter or field by its name, or something about the whole; null: nothing. */
  wrong: { field: string } | { whole: string } | null;
}

interface Draft {
  path: Map<string, unknown>;
  query: Map<string, unknown>;
  headers: [string, string][];
  body: Record<string, unknown> | null;
}

/** Makes a request of an operation: valid, with one field wrong, or with something wrong about the whole of it. */
export function makeRequest(operation: Operation, around: Surroundings): HostileRequest {
  const { random } = around;
  const draft = validDraft(operation, around);
  const fate = random();
  if (fate < 0.35) return { raw: toRaw(operation, draft), wrong: null };
  if (fate < 0.82) {
    const field = spoilField(operation, draft, random);
    if (field !== null) return { raw: toRaw(operation, draft), wrong: { field } };
  }
  return spoilWhole(operation, draft, random);
}

/** Returns how many parameters and fields of an operation can be made wrong. */
export const placesOf = ({ parameters, body }: Operation): number =>
  parameters.length + (body === null ? 0 : fieldsOf(body.schema).length);

function validDraft(operation: Operation, around: Surroundings): Draft {
  const { random } = around;
  const draft: Draft = { path: new Map(), query: new Map(), headers: [], body: null };
  const optional = operation.parameters.filter(({ required }) => !required).length;
  const chance = Math.min(0.5, 3 / Math.max(1, optional));
  for (const parameter of operation.parameters) {
    if (!parameter.required && parameter.in !== 'header' && random() >= chance) continue;
    const value = validParameter(operation, parameter, around);
    if (parameter.in === 'header') draft.headers.push([parameter.name, String(value)]);
    else draft[parameter.in].set(parameter.name, value);
  }
  const missing = neededQuery(operation, draft.query).filter((name) => !draft.query.has(name));
  for (const parameter of operation.parameters.filter(({ name }) => missing.includes(name)))
    draft.query.set(parameter.name, validParameter(operation, parameter, around));
  fitQuery(operation, draft.query, random);
  if (operation.body !== null) draft.body = validBody(operation, around);
  return draft;
}

/** Makes one parameter or field wrong and returns its name; null: it has none. */
function spoilField(operation: Operation, draft: Draft, random: Random): string | null {
  const fields = operation.body === null ? [] : fieldsOf(operation.body.schema);
  const places = [...operation.parameters, ...fields];
  if (places.length === 0) return null;
  const place = pick(places, random);
  if (Array.isArray(place)) {
    setIn(draft.body ?? {}, place, hostileValue(random));
    return place.join('.');
  }
  const { name, in: where } = place as Operation['parameters'][number];
  if (where === 'header') {
    draft.headers = [[name, headerText(hostileText(random))]];
  } else if (where === 'query' && random() < 0.1) {
    draft.query.set(name, random() < 0.5 ? ['a', 'a'] : Array(101).fill('a'));
  } else draft[where].set(name, hostileText(random));
  return name;
}

/** Returns the paths of all fields of a body; for objects with free names, some made-up ones. */
function fieldsOf(schema: Schema, before: readonly string[] = []): string[][] {
  if (before.length > 3) return [];
  const named = Object.entries(schema.properties ?? {}).flatMap(([name, each]) => {
    const inner = each.anyOf?.find(({ properties }) => properties !== undefined) ?? each;
    const path = [...before, name];
    return [path, ...fieldsOf(inner, path)];
  });
  const isOpen = before.length > 0 && schema.type === 'object' && schema.properties === undefined;
  return isOpen ? [...openNames.map((name) => [...before, name]), ...named] : named;
}

/** Fields of settings and parameters that the document leaves open. */
const openNames = [
  'url',
  'topic',
  'to',
  'path',
  'chatId',
  'usd',
  'days',
  'percent',
  'since',
  'states',
  'a\0b',
  'x',
];

function setIn(object: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = object;
  for (const name of path.slice(0, -1)) {
    const next = at[name];
    const inner = typeof next === 'object' && next !== null && !Array.isArray(next) ? { ...next } : {};
    at[name] = inner;
    at = inner as Record<string, unknown>;
  }
  at[path.at(-1) ?? ''] = value;
}

type Spoil = (raw: RawRequest, random: Random) => RawRequest;

const withHeader = (raw: RawRequest, name: string, value: string): RawRequest => ({
  ...raw,
  headers: [...raw.headers.filter(([each]) => each !== name), [name, value]],
});
const withBody = (raw: RawRequest, body: string | Buffer): RawRequest =>
  withHeader({ ...raw, body: Buffer.from(body) }, 'content-type', 'application/json');
const addQuery = (raw: RawRequest, text: string): RawRequest => ({
  ...raw,
  target: `${raw.target}${raw.target.includes('?') ? '&' : '?'}${text}`,
});

const spoiledHeaders: readonly (readonly [string, string])[] = [
  ...([
    ['accept', '\x80'],
    ['accept', 'text/html'],
    ['if-none-match', '"x", *'],
    ['range', 'bytes=0-1,-5'],
  ] as const),
  ...([
    ['cookie', 'offerbook_session=%00; =;;'],
    ['origin', 'null'],
    ['x-forwarded-for', "';--"],
  ] as const),
  ...([
    ['accept-encoding', 'gzip;q=x, br;q=0'],
    ['last-event-id', '1e9'],
    ['x-http-method-override', 'PUT'],
  ] as const),
  ...([
    ['authorization', 'Basic Og=='],
    ['authorization', `Bearer ${'x'.repeat(9_000)}`],
  ] as const),
  ['x-long', 'x'.repeat(20_000)],
];

const spoils: Readonly<Record<string, Spoil>> = {
  'cut JSON': (raw) => withBody(raw, (raw.body ?? Buffer.from('{"a":1}')).subarray(0, -2)),
  'JSON null': (raw) => withBody(raw, 'null'),
  'JSON of another kind': (raw, random) =>
    withBody(raw, pick(['[]', '1', '"x"', 'true', '[{}]', '{}'], random)),
  'no JSON': (raw, random) => withBody(raw, pick(['', ' ', 'NaN', "{'a':1}", '<x/>', '\ufeff{}'], random)),
  'bytes that are no text': (raw) =>
    withBody(raw, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x00, 0x22, 0x3a, 0x31, 0x7d])),
  'deep JSON': (raw, random) => withBody(raw, pick(['['.repeat(60_000), '{"a":'.repeat(10_000)], random)),
  'a huge body': (raw) => withBody(raw, `{"name":"${'x'.repeat(300_000)}"}`),
  'an unknown field': (raw) =>
    withBody(raw, `{"x\\u0000y":1,${(raw.body ?? Buffer.from('{"a":1}')).toString().slice(1)}`),
  'a prototype': (raw) =>
    withBody(
      raw,
      `{"__proto__":{"role":"admin"},${(raw.body ?? Buffer.from('{"a":1}')).toString().slice(1)}`,
    ),
  'a field twice': (raw) => {
    const text = (raw.body ?? Buffer.from('{"a":1}')).toString();
    return withBody(raw, `${text.slice(0, -1)}${text.length > 2 ? ',' : ''}${text.slice(1)}`);
  },
  'another content type': (raw, random) =>
    withHeader(
      raw,
      'content-type',
      pick(
        ['text/plain', 'application/x-www-form-urlencoded', '', 'application/json; charset=x', ';'],
        random,
      ),
    ),
  'a zipped body': (raw) =>
    withHeader({ ...raw, body: gzipSync(raw.body ?? '{}') }, 'content-encoding', 'gzip'),
  'a bomb': (raw) =>
    withHeader({ ...raw, body: gzipSync(Buffer.alloc(20_000_000)) }, 'content-encoding', 'gzip'),
  'a length that lies': (raw) => ({ ...raw, contentLength: (raw.body?.length ?? 0) + 100 }),
  'chunks that are none': (raw) =>
    withHeader({ ...raw, body: Buffer.from('zz\r\n{}\r\n') }, 'transfer-encoding', 'chunked'),
  'an unknown parameter': (raw) => addQuery(raw, 'no%00such=1'),
  'a broken query': (raw, random) =>
    addQuery(raw, pick(['%', '%ED%A0%80=1', '&&&=', 'a[b]=1', '=', '__proto__=1'], random)),
  'a broken path': (raw, random) => ({
    ...raw,
    target: raw.target.replace(
      /\/([^/?]*)(\?|$)/,
      `/${pick(['%', '%00', '%ED%A0%80', '..%2f', '%2e%2e/api', 'a%2fb', ''], random)}$2`,
    ),
  }),
  'another method': (raw, random) => ({
    ...raw,
    method: pick(['HEAD', 'OPTIONS', 'PUT', 'TRACE', 'PROPFIND'], random),
  }),
  'a header': (raw, random) => withHeader(raw, ...pick(spoiledHeaders, random)),
};

function spoilWhole(operation: Operation, draft: Draft, random: Random): HostileRequest {
  const [whole, spoil] = pick(Object.entries(spoils), random);
  return { raw: spoil(toRaw(operation, draft), random), wrong: { whole } };
}

const headerText = (text: string): string =>
  Buffer.from(text.replace(/[\r\n\0]/g, ''), 'utf8').toString('latin1');

/** Percent-encodes any text; a lone surrogate becomes its invalid bytes. */
const encode = (value: unknown): string =>
  String(value).replace(/[\ud800-\udbff][\udc00-\udfff]|[\s\S]/g, (character) =>
    character.isWellFormed() ? encodeURIComponent(character) : '%ED%A0%80',
  );

function toRaw({ method, path }: Operation, { path: inPath, query, headers, body }: Draft): RawRequest {
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) => encode(inPath.get(name) ?? ''));
  const pairs = [...query].flatMap(([name, value]) =>
    [value].flat().map((each) => `${encode(name)}=${encode(each)}`),
  );
  return {
    method,
    target: pairs.length === 0 ? place : `${place}?${pairs.join('&')}`,
    headers: [...headers, ...(body === null ? [] : [['content-type', 'application/json'] as const])],
    body: body === null ? null : Buffer.from(JSON.stringify(body)),
  };
}
