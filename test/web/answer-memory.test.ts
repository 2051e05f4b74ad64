import { expect, it } from 'vitest';
import { createAnswerMemory } from '../../web/core/answer-memory.ts';
import { createLoader } from '../../web/core/loader.ts';
import type { TypedPath } from '../../web/core/path-to.ts';

const path = '/api/market' as TypedPath<string>;

it('recalls the last answer until something is changed, and keeps none that was asked for before the change', () => {
  const memory = createAnswerMemory();
  expect(memory.recall(path)).toBeNull();
  memory.keep(path, 'old', memory.now());
  memory.keep(path, 'new', memory.now());
  expect(memory.recall(path)).toBe('new');
  const asked = memory.now();
  memory.forget();
  expect(memory.recall(path)).toBeNull();
  memory.keep(path, 'late', asked);
  expect(memory.recall(path)).toBeNull();
});

it('forgets the answers that were asked for least lately', () => {
  const memory = createAnswerMemory();
  for (let each = 0; each < 61; each += 1) {
    memory.keep(`/${each}`, each, memory.now());
    memory.keep('/0', 'again', memory.now());
  }
  expect([memory.recall('/0'), memory.recall('/1'), memory.recall('/2')]).toEqual(['again', null, 2]);
});

it('a loader begins with the last answer to its first path, and shows the next one when it is there', async () => {
  let answer = (_: string) => {};
  const next = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const source = { get: () => next, recall: () => 'last' };
  const loader = createLoader<string>(source, { first: path });
  expect(loader.state.value).toMatchObject({ data: 'last', dataPath: path, path, loading: true });
  loader.load(path);
  expect(loader.state.value).toMatchObject({ data: 'last', loading: true });
  answer('next');
  await next;
  await expect.poll(() => loader.state.value).toMatchObject({ data: 'next', loading: false });
  // What it shows of another path is not replaced by an older answer.
  loader.load('/api/other' as TypedPath<string>);
  expect(loader.state.value).toMatchObject({ data: 'next', dataPath: path });
});
