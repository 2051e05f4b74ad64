import { expect, it } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import { createReviver } from '../../src/service/revive-database.ts';

it('logs each reason once while the database does not come back, tries once at a time, and says when it runs', async () => {
  const lines: string[] = [];
  const add = (_fields: object, text = ''): void => void lines.push(text);
  const answers: (Error | null)[] = [];
  let running = 0;
  const revive = createReviver(
    async () => {
      running += 1;
      expect(running).toBe(1);
      await Promise.resolve();
      running -= 1;
      const answer = answers.shift();
      if (answer) throw answer;
    },
    { debug: add, info: add, warn: add, error: add },
  );
  const full = new UserError('the disk is full; free some space');
  answers.push(null, full, full, new Error('broken'), null, null, full);
  for (let call = 0; call < 7; call += 1) await Promise.all([revive(), revive()]);
  expect(answers).toEqual([]);
  expect(lines).toEqual([
    'the database did not come back and is tried again by itself: the disk is full; free some space',
    'the database did not come back',
    'the database runs again',
    'the database did not come back and is tried again by itself: the disk is full; free some space',
  ]);
});
