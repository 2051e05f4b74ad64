import { describe, expect, it } from 'vitest';
import { readFiles, withoutComments } from './source-files.ts';

const files = readFiles('web', ['.ts', '.tsx']);
const pathsIn = (text: string) =>
  [...withoutComments(text).matchAll(/['"`](\/api\/[\w-]*)/g)].map(([, path]) => path ?? '');

describe('the page reads by operation, so that a changed parameter or answer is a type error', () => {
  it('and writes only paths of links, of the live events and of the login', () => {
    const found = files.flatMap(({ path, text }) => pathsIn(text).map((written) => `${path} ${written}`));
    expect([...new Set(found)]).toEqual([
      'web/core/api-client.ts /api/session',
      'web/core/events.ts /api/events',
      'web/page.tsx /api/docs',
      'web/parts/export-menu.tsx /api/exports',
      // The service worker sees the paths of all requests.
      'web/service-worker/kept-answers.ts /api/',
      'web/service-worker/service-worker.ts /api/session',
      'web/service-worker/service-worker.ts /api/',
      'web/service/in-force.tsx /api/docs',
      'web/spend/sheet-links.tsx /api/docs',
    ]);
    expect(pathsIn("useAnswer(app, '/api/orders?limit=100'); load(`/api/orders`);")).toHaveLength(2);
  });

  it('and states the type of an answer only where paths are put together', () => {
    const stating = files.filter(({ text }) => /\bas TypedPath\b/.test(text)).map(({ path }) => path);
    expect(stating).toEqual(['web/core/path-to.ts', 'web/core/use-answer.ts', 'web/core/use-pages.ts']);
  });
});
