import { expect, it } from 'vitest';
import { stateWords } from '../../web/rentals/instances/state-words.ts';

it('a stopped and a destroyed instance have icons of their own, so that no color is needed to tell it from others', () => {
  const stopped = stateWords('stopped');
  expect(stopped).toEqual({ text: 'stopped', grade: 'stopped' });
  const others = ['creating', 'running', 'ready', 'down', 'destroying', 'destroyed', 'start-failed'];
  const grades = others.map((state) => stateWords(state).grade);
  expect(grades).not.toContain(stopped.grade);
  expect(grades.filter((grade) => grade === stateWords('destroyed').grade)).toHaveLength(1);
});
