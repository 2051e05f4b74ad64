import type { Browser, BrowserContext, BrowserContextOptions, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import type { Sql } from '../../src/database/connection.ts';
import type { Status } from '../../web/core/api.ts';
import { launchBrowser } from './browser.ts';

/** A running Offerbook with the page, its API and unchanging books of both types. */
export interface RunningOfferbook {
  /** Base address without a trailing slash. */
  url: string;
  /** An administrator's token. */
  token: string;
  /** Its database. */
  sql: Sql;
  /** Restarts it at the same address; runs `meanwhile` in between. */
  restart(meanwhile: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

/** A browser on a running Offerbook, shared by the tests of a file; pages are closed after each. */
export interface PageFixture {
  server: () => RunningOfferbook;
  /** A page without a login. @default without its service worker, whose requests tests cannot change */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** A logged-in page at an address; `prepare` comes before it is opened. @default 1280 pixels wide */
  open(
    path: string,
    prepare?: (page: Page) => Promise<unknown>,
    width?: number,
    options?: BrowserContextOptions,
  ): Promise<Page>;
  /** Returns the API's response. */
  ask<T>(path: string): Promise<T>;
  /** Sends a change to the API and returns its response; null for an empty one. */
  send<T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<T>;
  /** Crawls the market to rent from, unless that was just done: the books before it come from a smaller market. */
  crawled(): Promise<void>;
}

/** Widths at which the page is used: a desktop and a phone. */
export const widths = [1440, 390] as const;

/** After this time too many offers of a book are gone for a test to rent the first one. */
const offersLastMs = 120_000;

/** The time zone of the reader, whose day is another one than that of the tests for some hours. */
export const pageTimeZone = 'America/New_York';

/** The day, `2026-11-28`, that the page has at a moment in ms. */
export const pageDay = (at = Date.now()): string =>
  new Date(at).toLocaleDateString('en-CA', { timeZone: pageTimeZone });

/** The page's day at noon as a date of this process: its year, month and day are those of the page. */
export const pageNoon = (): Date => new Date(`${pageDay()}T12:00`);

/** Time limits of tests, only against hanging. */
export const patiently = { timeout: 120_000 };

/** Starts server and browser before the tests of a describe block. */
export function usePages(startServer: () => Promise<RunningOfferbook>): PageFixture {
  let server: RunningOfferbook;
  let browser: Browser;
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
    // The first responses of a new server evaluate months of prices, which takes long on a busy machine.
    const headers = { authorization: `Bearer ${server.token}` };
    for (const path of ['/api/market', '/api/rankings', '/api/rankings?type=bid', '/api/trends']) {
      await (await fetch(server.url + path, { headers })).arrayBuffer();
    }
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      locale: 'en-GB',
      timezoneId: pageTimeZone,
      serviceWorkers: 'block',
      ...options,
    });
    context.setDefaultTimeout(patiently.timeout);
    contexts.push(context);
    return context.newPage();
  }

  async function ask<T>(path: string): Promise<T> {
    const headers = { authorization: `Bearer ${server.token}` };
    const response = await fetch(server.url + path, { headers });
    expect(response.status, path).toBe(200);
    return (await response.json()) as T;
  }

  let crawl: Promise<void> | null = null;
  let crawledAt = 0;
  async function crawlMarket(): Promise<void> {
    crawledAt = performance.now();
    const newest = async () =>
      (await ask<Status>('/api/status')).newestBooks.map(({ observedAt }) => Date.parse(observedAt));
    const before = Math.max(...(await newest()));
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
    const begun = await fetch(`${server.url}/api/crawls`, { method: 'POST', headers, body: '{}' });
    expect(begun.status).toBe(202);
    await vi.waitFor(async () => expect(Math.min(...(await newest()))).toBeGreaterThan(before), {
      timeout: 200_000,
      interval: 500,
    });
  }

  return {
    server: () => server,
    newPage,
    ask,
    crawled() {
      if (crawl === null || performance.now() - crawledAt > offersLastMs) crawl = crawlMarket();
      return crawl;
    },
    async open(path, prepare, width = 1280, options = {}) {
      const page = await newPage(options);
      await page.setViewportSize({ width, height: 900 });
      const { url, token } = server;
      const login = await page.request.post(`${url}/api/session`, {
        data: { token },
        headers: { origin: url },
      });
      expect(login.status()).toBe(204);
      // Tests of wrong tokens come from the same address, which then has to wait.
      const status = async () => (await page.request.get(`${url}/api/status`)).status();
      await vi.waitFor(async () => expect(await status()).toBe(200), { ...patiently, interval: 250 });
      await prepare?.(page);
      await page.goto(url + path);
      return page;
    },
    async send<T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object = {}): Promise<T> {
      const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
      const response = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) });
      const text = await response.text();
      expect(response.ok, `${path}: ${text}`).toBe(true);
      return (text === '' ? null : JSON.parse(text)) as T;
    },
  };
}

/** Presses Tab until the element of `selector` has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 400; presses += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${selector}`);
}

/** Returns the path whose response a section of the page shows, once no request is pending. */
export async function shownPath(page: Page, section: string): Promise<string> {
  const shown = page.locator(`#${section} > .content:not(.stale)[aria-busy="false"]`);
  return (await shown.getAttribute('data-path')) ?? '';
}

/** Waits until a view has its responses. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').waitFor();
  await page.locator('.age').waitFor();
  await page.waitForFunction(() => document.querySelector('.notice.loading, [aria-busy="true"]') === null);
}

/** Responds to a request as the server does, except for what `change` does to the response. */
export async function perturb<T>(route: Route, change: (answer: T) => T): Promise<void> {
  try {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as T) });
  } catch (error) {
    // A page left open by an earlier test still sends requests.
    if (!/disposed|closed|been handled/.test(String(error))) throw error;
  }
}
