import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildEnvFlags } from '../../src/market/env-flags.ts';
import type { InstanceRequest } from '../../src/market/instance-request.ts';
import { RentBodySchema } from '../../src/rentals/rent/rent-body.ts';
import { resolveCreate, type TemplateDefaults } from '../../src/rentals/rent/resolve-create.ts';

const text = fc.string({ minLength: 1 });
const name = fc.constantFrom('A', 'B', 'C', '__proto__', 'toString');
const env = fc.dictionary(
  name,
  text.map((value) => value.replaceAll('\0', '')),
);
const filters = fc.dictionary(fc.constantFrom('num_gpus', 'dlperf'), fc.record({ gte: fc.integer() }));
const image = fc.stringMatching(/^[a-z]{1,5}$/);
const orNone = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

const request: fc.Arbitrary<InstanceRequest> = fc.record({
  ...{ image: orNone(image), diskGb: fc.integer({ min: 1 }), onstart: orNone(text), env: orNone(env) },
  ...{ runtype: orNone(fc.constantFrom('ssh', 'args')), args: orNone(text), extraFilters: orNone(filters) },
  volume: orNone(fc.constant({ kind: 'existing', volumeId: 3, mountPath: '/v' } as const)),
});
const template = fc
  .record({
    ...{ image, tag: orNull(fc.constantFrom('', 'v1')), onstart: orNull(text), env: orNull(env) },
    ...{
      runtype: orNull(fc.constantFrom('ssh', 'jupyter')),
      args: orNull(text),
      extraFilters: orNull(filters),
    },
  })
  .map((fields) => ({ ...fields, env: fields.env === null ? null : buildEnvFlags(fields.env) }));

const own = (fields: object | null | undefined, key: string): unknown =>
  fields != null && Object.hasOwn(fields, key) ? Reflect.get(fields, key) : undefined;

describe('request and template combined', () => {
  it("rule 1: a scalar of the request wins over the template's", () => {
    fc.assert(
      fc.property(request, template, (asked, stored) => {
        const resolved = resolveCreate(asked, stored);
        for (const key of ['onstart', 'runtype', 'args'] as const) {
          expect(resolved[key]).toBe(asked[key] ?? stored[key]);
        }
        const tagged = stored.tag ? `${stored.image}:${stored.tag}` : stored.image;
        expect(resolved.image).toBe(asked.image ?? tagged);
        expect(resolved.diskGb).toBe(asked.diskGb);
      }),
    );
  });

  it('rules 2 and 3: env and filters are merged by key, the request wins, nothing is lost', () => {
    fc.assert(
      fc.property(request, template, env, (asked, stored, storedEnv) => {
        const resolved = resolveCreate(asked, { ...stored, env: buildEnvFlags(storedEnv) });
        const keys = new Set([...Object.keys(asked.env ?? {}), ...Object.keys(storedEnv)]);
        expect(new Set(Object.keys(resolved.env))).toEqual(keys);
        for (const key of keys) {
          expect(own(resolved.env, key)).toBe(own(asked.env, key) ?? own(storedEnv, key));
        }
        for (const key of ['num_gpus', 'dlperf']) {
          const expected = own(asked.extraFilters, key) ?? own(stored.extraFilters, key);
          expect(own(resolved.extraFilters, key)).toEqual(expected);
        }
      }),
    );
  });

  it('rule 4: a volume only comes from the request', () => {
    fc.assert(
      fc.property(request, template, (asked, stored) => {
        const hinted = { ...stored, volume_info: { create_new: true, volume_id: 9 } } as TemplateDefaults;
        expect(resolveCreate(asked, hinted).volume).toEqual(asked.volume ?? null);
      }),
    );
  });

  it('without a template the request is used as it is', () => {
    const resolved = resolveCreate({ image: 'i', diskGb: 8 }, null);
    const nothing = {
      onstart: null,
      volume: null,
      runtype: null,
      args: null,
      label: null,
      bidUsdPerHour: null,
    };
    expect(resolved).toEqual({
      image: 'i',
      diskGb: 8,
      env: {},
      otherFlags: [],
      extraFilters: {},
      ...nothing,
    });
    expect(resolveCreate({ diskGb: 8 }, null).image).toBeNull();
  });

  it.each([
    ['repo/image', 'v1', 'repo/image:v1'],
    ['host:5000/image', 'v1', 'host:5000/image:v1'],
    ['repo/image:v0', 'v1', 'repo/image:v0'],
    ['repo/image@sha256:00', 'v1', 'repo/image@sha256:00'],
  ])('the image %s with the tag %s is %s', (stored, tag, expected) => {
    const others = { onstart: null, env: null, runtype: null, args: null, extraFilters: null };
    expect(resolveCreate({ diskGb: 8 }, { image: stored, tag, ...others }).image).toBe(expected);
  });
});

it('takes the former name of the failure policy as the present one', () => {
  const body = { offerId: 1, image: 'ubuntu', diskGb: 10, maxUsdPerHour: 1 };
  const policyOf = (onFailure: string) => RentBodySchema.parse({ ...body, onFailure }).onFailure;
  expect(['tell', 'notify', 'replace'].map(policyOf)).toEqual(['notify', 'notify', 'replace']);
  expect(RentBodySchema.safeParse({ ...body, onFailure: 'shout' }).success).toBe(false);
});
