import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { launchBrowser } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
});

const script = async (): Promise<string> =>
  await readFile(new URL('../../web/dist/service-worker.js', import.meta.url), 'utf8');

/** A site with the page's service worker, whose build and answers can change, and which can go away. */
async function startSite() {
  const state = { build: 1, answer: 'first', user: 'ada' as string | null };
  const worker = await script();
  const body = (path: string): [type: string, text: string] => {
    if (path === '/service-worker.js') {
      const files = JSON.stringify([`/assets/app-${state.build}.js`, `/assets/late-${state.build}.js`]);
      return ['text/javascript', worker.replace(/const builtFiles=\[[^\]]*\]/, `const builtFiles=${files}`)];
    }
    if (path.startsWith('/assets/')) return ['text/javascript', `window.file = '${path}';`];
    if (path.startsWith('/api/')) return ['application/json', JSON.stringify({ says: state.answer })];
    return [
      'text/html',
      `<!doctype html><title>${state.build}</title><script src="/assets/app-${state.build}.js"></script>`,
    ];
  };
  const port = await freePort();
  const serve = async (): Promise<Server> => {
    const server = createServer(({ url = '/', method = 'GET' }, response) => {
      if (url.startsWith('/api/') && state.user === null && method === 'GET')
        response.writeHead(401).end('{}');
      else {
        const [type, text] = body(url);
        response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
      }
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return server;
  };
  let server = await serve();
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    stop,
    start: async () => {
      server = await serve();
    },
  };
}

type Site = Awaited<ReturnType<typeof startSite>>;

/** Opens the site with its worker in charge. */
async function visit(site: Site): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(site.url);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/service-worker.js');
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller === null)
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
  });
  return page;
}

/** In the page: an answer, and since when it was kept. */
const read = async (page: Page, path = '/api/things', method = 'GET') =>
  await page.evaluate(
    async ([path, method]) => {
      try {
        const answer = await fetch(path ?? '', { method: method ?? '' });
        const { says } = (await answer.json()) as { says?: string };
        return { says, isKept: answer.headers.has('x-offerbook-kept-at') };
      } catch {
        return null;
      }
    },
    [path, method],
  );
const caches = async (page: Page) => await page.evaluate(async () => (await window.caches.keys()).sort());

describe('the service worker', () => {
  it('answers from what it kept only without a server, and says so', async () => {
    const site = await startSite();
    const page = await visit(site);
    expect(await read(page)).toEqual({ says: 'first', isKept: false });
    site.state.answer = 'second';
    expect(await read(page)).toEqual({ says: 'second', isKept: false });
    await site.stop();
    expect(await read(page)).toEqual({ says: 'second', isKept: true });
    // Neither what was never read, nor a stream, nor a change.
    expect(await read(page, '/api/others')).toBeNull();
    expect(await read(page, '/api/events')).toBeNull();
    expect(await read(page, '/api/things', 'POST')).toBeNull();
    // The page itself opens, at any of its addresses, with the parts that it loads later.
    await page.goto(`${site.url}/trends?gpuName=H100`);
    expect(await page.title()).toBe('1');
    expect(await read(page)).toEqual({ says: 'second', isKept: true });
    expect(await page.evaluate(async () => await (await fetch('/assets/late-1.js')).text())).toContain(
      'late-1',
    );
    await site.start();
    site.state.answer = 'third';
    expect(await read(page)).toEqual({ says: 'third', isKept: false });
    await page.context().close();
    await site.stop();
  });

  it.each([
    ['signs out', async (page: Page) => void (await read(page, '/api/session', 'DELETE'))],
    ['signs in', async (page: Page) => void (await read(page, '/api/session', 'POST'))],
    [
      'opens a login link',
      async (page: Page) => void (await page.goto(`${new URL(page.url()).origin}/login?code=1`)),
    ],
  ])('forgets what a reader has seen when somebody %s', async (_, act) => {
    const site = await startSite();
    const page = await visit(site);
    await read(page);
    await act(page);
    await site.stop();
    expect(await read(page)).toBeNull();
    await page.context().close();
  });

  it('forgets it when the server no longer knows the reader', async () => {
    const site = await startSite();
    const page = await visit(site);
    await read(page);
    site.state.user = null;
    await read(page, '/api/others');
    await site.stop();
    expect(await read(page)).toBeNull();
    await page.context().close();
  });

  it('shows a new build at the next reload, and drops what the old one kept', async () => {
    const site = await startSite();
    const page = await visit(site);
    const [before] = await caches(page);
    site.state.build = 2;
    await page.reload();
    expect(await page.title()).toBe('2');
    expect(await page.evaluate(() => (window as unknown as { file: string }).file)).toBe('/assets/app-2.js');
    await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
    await expect
      .poll(async () => (await caches(page)).filter((name) => name.startsWith('offerbook-shell')))
      .toHaveLength(1);
    await expect.poll(async () => (await caches(page)).includes(before ?? '')).toBe(false);
    await site.stop();
    await page.reload();
    expect(await page.title()).toBe('2');
    await page.context().close();
  });

  it('leads a click on a message to its view, and nowhere else', async () => {
    const site = await startSite();
    const page = await visit(site);
    // This browser shows no notifications: the event is made as it would make it.
    const click = async (path: string) => {
      const [worker] = page.context().serviceWorkers();
      await worker?.evaluate((path) => {
        const notification = { data: { path }, close: () => {} };
        const { ExtendableEvent } = self as unknown as { ExtendableEvent: typeof Event };
        self.dispatchEvent(Object.assign(new ExtendableEvent('notificationclick'), { notification }));
      }, path);
    };
    await click('/rent/7?storageGb=8');
    await page.waitForURL(`${site.url}/rent/7?storageGb=8`);
    await click('https://elsewhere.example/x');
    await page.waitForURL(`${site.url}/watches`);
    await page.context().close();
    await site.stop();
  });
});
