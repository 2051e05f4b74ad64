import { expect, it } from 'vitest';
import { readFiles } from './source-files.ts';

it('no form that is being sent can be canceled', () => {
  const sending = readFiles('web', ['.tsx']).filter(({ text }) => /\bbusy\b/.test(text));
  const buttons = sending.flatMap(({ path, text }) =>
    [...text.matchAll(/<button(?:(?!<button).)*?>\s*(?:Cancel|Leave it)\b/gs)].map(([button]) => ({
      path,
      button,
    })),
  );
  expect(buttons.length).toBeGreaterThanOrEqual(5);
  expect(buttons.filter(({ button }) => !button.includes('disabled={')).map(({ path }) => path)).toEqual([]);
});
