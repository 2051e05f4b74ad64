import { expect, it, vi } from 'vitest';
import { announceDownloads } from '../../web/core/downloads.ts';

it('says under which name an export is saved, and that it is not, where the server refuses it', async () => {
  class Element {
    readonly closest: () => unknown;
    constructor(href: string) {
      this.closest = () => ({ href, download: 'own.json' });
    }
  }
  vi.stubGlobal('Element', Element);
  let click: (event: { target: unknown }) => void = () => {};
  let answer = new Response(null, {
    headers: { 'content-disposition': 'attachment; filename="spend-2026-11-26.xlsx"' },
  });
  const fetch = vi.fn(async () => answer);
  const document = { addEventListener: (_: string, listen: typeof click) => (click = listen) };
  const say = vi.fn();
  announceDownloads({ fetch, document } as never, { say });
  click({ target: new Element('http://127.0.0.1/api/exports/spend.xlsx?from=2026-11-26') });
  await vi.waitFor(() => expect(say).toHaveBeenCalledWith('Saved spend-2026-11-26.xlsx to your downloads.'));
  expect(fetch).toHaveBeenCalledWith(expect.stringContaining('spend.xlsx'), { method: 'HEAD' });
  answer = new Response(null, { status: 409 });
  click({ target: new Element('http://127.0.0.1/api/exports/rankings.csv') });
  await vi.waitFor(() =>
    expect(say).toHaveBeenLastCalledWith({ warning: expect.stringMatching(/could not be made/) }),
  );
  // Without a name from the server it has that of the link.
  answer = new Response(null);
  click({ target: new Element('http://127.0.0.1/api/explain?of=book') });
  await vi.waitFor(() => expect(say).toHaveBeenLastCalledWith('Saved own.json to your downloads.'));
  vi.unstubAllGlobals();
});
