import { expect, it } from 'vitest';
import { stateWords } from '../../web/rentals/instances/state-words.ts';

it('a stopped instance has an icon of its own, so that no color is needed to tell it from others', () => {
  const stopped = stateWords('stopped');
  expect(stopped).toEqual({ text: 'stopped', grade: 'stopped' });
  const others = ['creating', 'running', 'ready', 'down', 'destroying', 'destroyed', 'start-failed'];
  expect(others.map((state) => stateWords(state).grade)).not.toContain(stopped.grade);
});
