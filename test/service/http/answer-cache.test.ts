import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { cacheAnswers } from '../../../src/service/http/answer-cache.ts';

function counting(cacheMs: number) {
  let computed = 0;
  const app = new Hono();
  app.use(cacheAnswers(new Set(['/kept', '/bad']), cacheMs));
  const answer = (status: 200 | 500) => (c: import('hono').Context) => {
    computed += 1;
    return c.json({ computed }, status, { 'X-Extra': 'kept too' });
  };
  app.get('/kept', answer(200));
  app.get('/other', answer(200));
  app.get('/bad', answer(500));
  app.post('/kept', answer(200));
  const ask = async (path: string, init: RequestInit = {}): Promise<number> => {
    const response = await app.request(path, init);
    expect(response.headers.get('X-Extra')).toBe('kept too');
    return ((await response.json()) as { computed: number }).computed;
  };
  return { ask };
}

const as = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });

describe('cached responses', () => {
  it('are repeated to the same requester at the same address, and to nobody else', async () => {
    const { ask } = counting(60_000);
    expect(await ask('/kept?a=1', as('one'))).toBe(1);
    expect(await ask('/kept?a=1', as('one'))).toBe(1);
    expect(await ask('/kept?a=1', as('two'))).toBe(2);
    expect(await ask('/kept?a=1')).toBe(3);
    expect(await ask('/kept?a=2', as('one'))).toBe(4);
    expect(await ask('/kept?a=1', as('one'))).toBe(1);
  });

  it('are only successful reads of named paths', async () => {
    const { ask } = counting(60_000);
    for (const [path, init] of [['/other'], ['/bad'], ['/kept', { method: 'POST' }]] as const) {
      const first = await ask(path, init);
      expect(await ask(path, init)).toBe(first + 1);
    }
  });

  it('expire', async () => {
    const { ask } = counting(5);
    const first = await ask('/kept');
    await sleep(10);
    expect(await ask('/kept')).toBe(first + 1);
    const { ask: never } = counting(0);
    expect([await never('/kept'), await never('/kept')]).toEqual([1, 2]);
  });
});
