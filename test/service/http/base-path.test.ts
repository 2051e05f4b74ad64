import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSheetsFetch } from '../../../src/service/http/sheets-listener.ts';
import { createTestApp } from '../../support/test-app.ts';

let webRoot: string;

beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'offerbook-page-'));
  const page =
    '<meta name="base-path" content="" /><meta name="command" content="npx offerbook" /><script src="./assets/index.js"></script><a href="./x">x</a>';
  await writeFile(join(webRoot, 'index.html'), page);
});
afterAll(() => rm(webRoot, { recursive: true, force: true }));

it.each([
  ['https://gpu.example', '', '__Host-offerbook_session', '/'],
  ['https://gpu.example/offerbook', '/offerbook', '__Secure-offerbook_session_offerbook', '/offerbook'],
  ['http://gpu.example:8081/a/b', '/a/b', 'offerbook_session_8081_a_b', '/a/b'],
])(
  'PUBLIC_URL=%s: page, API, links and cookies lie below its path',
  async (publicUrl, base, cookie, path) => {
    const { app, tokens } = await createTestApp({ publicUrl, webRoot });
    const ask = async (asked: string, init: RequestInit = {}) =>
      await app.request(asked, {
        ...init,
        headers: { host: 'gpu.example', authorization: `Bearer ${tokens.admin}`, ...init.headers },
      });
    // Whether or not the proxy takes the path off.
    for (const prefix of new Set([base, ''])) {
      for (const view of ['/', '/trends', '/index.html']) {
        const page = await (await ask(prefix + view)).text();
        expect(page).toContain(`<script src="${base}/assets/index.js">`);
        expect(page).toContain(`name="base-path" content="${base}"`);
        expect(page).toContain('name="command" content="npx offerbook"');
      }
      expect((await ask(`${prefix}/api/status`)).status).toBe(200);
      expect(await (await ask(`${prefix}/api/docs`)).text()).toContain(`src="${base}/api/docs/start.js"`);
      expect(await (await ask(`${prefix}/api/docs/start.js`)).text()).toContain(
        `url: '${base}/api/openapi.json'`,
      );
      expect(await (await ask(`${prefix}/api/docs/settings.md`)).text()).toMatch(/^# Settings/);
      expect((await ask(`${prefix}/api/docs/no-such-document.md`)).status).toBe(404);
    }
    const document = (await (await ask('/api/openapi.json')).json()) as { servers: { url: string }[] };
    expect(document.servers[0]?.url).toBe(base || '/');
    expect(await (await ask(`${base}/login`)).text()).toContain(`href="${base}/plain.css"`);
    const login = await ask(`${base}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(publicUrl).origin },
      body: JSON.stringify({ token: tokens.viewer }),
    });
    expect(login.headers.get('set-cookie')).toMatch(new RegExp(`^${cookie}=[^;]+;.* Path=${path};`));
    const session = { cookie: login.headers.get('set-cookie')?.split(';')[0] ?? '', authorization: '' };
    const { authorization: _, ...alone } = session;
    expect(
      (await app.request(`${base}/api/status`, { headers: { host: 'gpu.example', ...alone } })).status,
    ).toBe(200);
    // Another program's path that only begins alike.
    if (base !== '') expect((await ask(`${base}s/api/status`)).status).toBe(404);
    const sheets = createSheetsFetch(app, base);
    const sheet = await sheets(new Request(`http://gpu.example${base}/sheets/unknown-token/offers.csv`));
    expect([401, 404]).toContain(sheet.status);
    expect((await sheet.text()).length).toBeGreaterThan(0);
  },
);
