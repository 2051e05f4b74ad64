import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLoginCode } from '../../../src/service/sign-in/credentials.sql.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';
import { launchBrowser } from '../../web/browser.ts';

const webRoot = mkdtempSync(join(tmpdir(), 'offerbook-page-'));
writeFileSync(join(webRoot, 'index.html'), '<!doctype html><title>Offerbook</title><p>the page</p>');
writeFileSync(join(webRoot, 'plain.css'), '');

describe('in a real browser', () => {
  let test: TestApp;
  let browser: Browser;
  let url: string;
  let stop: () => void;

  beforeAll(async () => {
    test = await createTestApp({ webRoot });
    const server = serve({ fetch: test.app.fetch, hostname: '127.0.0.1', port: 0 });
    await new Promise((resolve) => server.once('listening', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    stop = () => server.close();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    stop();
    rmSync(webRoot, { recursive: true });
  });

  it('a login link followed from another site signs in; the API reference renders', async () => {
    const page = await browser.newPage();
    const foreign: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => {
      if (!/^(data:|http:\/\/127\.0\.0\.1:)/.test(request.url())) foreign.push(request.url());
    });
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    const link = `${url}/login?code=${await createLoginCode(test.sql, test.clock.now)}`;
    // Another site: a page of its own origin, `localhost` instead of the address.
    await page.goto(`${url.replace('127.0.0.1', 'localhost')}/healthz`).catch(() => null);
    await page.setContent(`<a href="${link}">log in</a>`);
    await page.click('a');
    await page.waitForURL(`${url}/`);
    expect(await page.textContent('p')).toBe('the page');
    const status = await page.evaluate(async () => (await fetch('/api/status')).status);
    expect(status).toBe(200);
    const ordered = await page.evaluate(async () => (await fetch('/api/crawls', { method: 'POST' })).status);
    expect(ordered).toBe(202);

    foreign.length = 0;
    await page.goto(`${url}/api/docs`);
    await page.waitForSelector('.opblock');
    expect(await page.locator('.opblock').count()).toBeGreaterThan(8);
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
