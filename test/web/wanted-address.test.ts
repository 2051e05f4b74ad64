import { describe, expect, it } from 'vitest';
import { createWantedAddress } from '../../web/core/wanted-address.ts';

function browser() {
  const stored = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  const clock = { now: 1_000 };
  return { stored, clock, wanted: createWantedAddress({ localStorage } as never, () => clock.now) };
}

describe('the address wanted before the login', () => {
  it('is returned once, with its query', () => {
    const { wanted } = browser();
    expect(wanted.take()).toBeNull();
    wanted.keep('/deals?gpuName=RTX+4090');
    expect(wanted.take()).toBe('/deals?gpuName=RTX+4090');
    expect(wanted.take()).toBeNull();
  });

  it('is forgotten after a quarter of an hour', () => {
    const { wanted, clock } = browser();
    wanted.keep('/deals');
    clock.now += 15 * 60_000;
    expect(wanted.take()).toBeNull();
  });

  it.each(['//evil.test/x', '/\\\\evil.test', 'https://evil.test', 'deals'])(
    'is never one elsewhere: %s',
    (href) => {
      const { wanted } = browser();
      wanted.keep(href);
      expect(wanted.take()).toBeNull();
    },
  );

  it.each(['{', '7', 'null', '{"href":7,"at":1}', '{"href":"/deals"}'])(
    'is none if what is stored is broken: %s',
    (text) => {
      const { wanted, stored } = browser();
      stored.set('offerbook-wanted', text);
      expect(wanted.take()).toBeNull();
    },
  );
});
