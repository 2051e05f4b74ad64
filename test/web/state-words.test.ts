import { expect, it } from 'vitest';
import { actionSlots, sentWords, stateWords } from '../../web/rentals/instances/state-words.ts';

it('a stopped and a destroyed instance have icons of their own, so that no color is needed to tell it from others', () => {
  const stopped = stateWords('stopped');
  expect(stopped).toEqual({ text: 'stopped', grade: 'stopped' });
  const others = ['creating', 'running', 'ready', 'down', 'destroying', 'destroyed', 'start-failed'];
  const grades = others.map((state) => stateWords(state).grade);
  expect(grades).not.toContain(stopped.grade);
  expect(grades.filter((grade) => grade === stateWords('destroyed').grade)).toHaveLength(1);
});

it('an instance has the same buttons in the same places in every state, of which some cannot be used', () => {
  const states = [
    ...['creating', 'settling', 'provisioning', 'running', 'ready', 'stopped', 'down', 'start-failed'],
    ...['destroying', 'offline'],
  ];
  const reasons: Record<string, string> = {
    creating: 'It is still being rented',
    settling: 'It is still being rented',
    destroying: 'It is being destroyed',
  };
  for (const state of states) {
    const reason = reasons[state] ?? null;
    const first = state === 'stopped' ? 'start' : 'stop';
    expect([state, ...actionSlots(state)]).toEqual([
      state,
      { kind: first, reason },
      { kind: 'destroy', reason },
    ]);
  }
});

it('what became of an action is a sentence about the instance', () => {
  expect(sentWords('destroy', 'RTX 4090 × 1 · 5000001', 'accepted')).toBe(
    'The market accepted the request to destroy RTX 4090 × 1 · 5000001. Once it is gone, it is listed as destroyed under Ended.',
  );
  expect(sentWords('start', 'my job', 'accepted')).toBe('The market accepted the request to start my job.');
  expect(sentWords('stop', 'my job', 'pending')).toBe(
    'my job is being stopped: retrying until the market confirms it.',
  );
});
