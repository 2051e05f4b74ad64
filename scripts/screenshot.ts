import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { startService } from '../src/main.ts';
import { loadConfig } from '../src/service/config.ts';
import { createLog } from '../src/service/create-log.ts';
import { openDatabase } from '../src/service/open-database.ts';
import { renderReportHtml } from '../src/watches/reports/report-html.ts';
import { sampleReport } from '../test/watches/sample-report.ts';
import { launchBrowser } from '../test/web/browser.ts';
import { createStoryteller, type Story, tellStory } from './picture-story.ts';

const sizes = [
  { suffix: '', viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
  { suffix: '-phone', viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 },
];

/** The views by the name of their picture: the address, and what to do before taking it. */
interface Picture {
  path: string;
  prepare?: (page: Page) => Promise<unknown>;
}

const picturesOf = ({ watch, listing, order, instance }: Story): Record<string, Picture> => ({
  today: {
    path: '/today',
    prepare: (page) => page.getByRole('button', { name: 'Hide the first steps' }).click(),
  },
  market: { path: '/market', prepare: (page) => page.locator('#models [data-reliable]').first().waitFor() },
  trends: { path: '/trends?gpuName=RTX+4090&gpuName=RTX+5090&type=on-demand&type=bid' },
  trend: { path: '/trends?gpuName=RTX+4090' },
  deals: { path: '/deals?gpuName=RTX+4090' },
  listing: { path: listing },
  rent: { path: '/deals?gpuName=RTX+4090', prepare: quoteOne },
  instances: { path: '/instances' },
  instance: { path: instance },
  orders: { path: '/orders' },
  order: { path: order },
  'order-form': {
    path: `${order}/edit`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Try without saving' }).click();
      await page.locator('#tried').waitFor();
    },
  },
  templates: { path: '/templates' },
  volumes: { path: '/volumes' },
  spend: { path: '/spend' },
  watches: { path: '/watches' },
  watch: {
    path: watch,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.locator('#report-table').waitFor();
    },
  },
  alert: {
    path: '/market?q=H100',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Alert me: H100 SXM', exact: true }).first().click();
      await page.getByRole('dialog').locator('[data-now]').waitFor();
    },
  },
  crawls: { path: '/crawls' },
  settings: { path: '/settings' },
  start: { path: '/start' },
});

/** Goes from the deals to the quote of the first offer that still exists: the market changed since its newest book. */
async function quoteOne(page: Page): Promise<void> {
  const deals = await page.locator('#ranking a.button').evaluateAll((links) => links.map(String));
  for (const deal of deals) {
    await page.goto(deal);
    const quote = page.locator('#quote');
    await quote.or(page.locator('#gone')).first().waitFor();
    if ((await quote.count()) === 0) continue;
    await page.locator('#record [data-record=host]').waitFor();
    return;
  }
  throw new Error('no deal can be quoted');
}

interface PictureRequest {
  url: string;
  token: string;
  out: string;
  pictures: Record<string, Picture>;
}

async function takePictures(
  browser: Browser,
  { url, token, out, pictures }: PictureRequest,
): Promise<string[]> {
  const files: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const { suffix, ...screen } of sizes) {
      const context = await browser.newContext({
        ...screen,
        colorScheme,
        locale: 'en-GB',
        timezoneId: 'UTC',
      });
      const login = await context.request.post(new URL('/api/session', url).href, {
        data: { token },
        headers: { origin: new URL(url).origin },
      });
      if (!login.ok()) throw new Error(`${url} refused the token: HTTP ${login.status()}`);
      const page = await context.newPage();
      for (const [name, { path, prepare }] of Object.entries(pictures)) {
        await page.goto(new URL(path, url).href);
        await page.locator('.age').waitFor();
        await page.waitForFunction(
          () => document.querySelector('.notice.loading, [aria-busy="true"]') === null,
        );
        await prepare?.(page);
        for (const words of ['Checking past prices…', 'Testing it on the past…']) {
          await page.getByText(words).waitFor({ state: 'detached' });
        }
        const file = join(out, `${name}-${colorScheme}${suffix}.png`);
        await page.screenshot({ path: file });
        files.push(file);
      }
      await context.close();
    }
  }
  return files;
}

interface Place {
  url: string;
  token: string;
  story: Story;
}

/** Starts an Offerbook on a new database, with two weeks of a simulated market and an account in use. */
async function withOfferbook(work: (place: Place) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'offerbook-pictures-'));
  const token = 'only-for-the-pictures';
  const settings = { DATA_DIR: dataDir, PORT: '0', OFFERBOOK_TOKEN: token };
  const config = loadConfig(settings);
  const log = createLog('error');
  const service = await startService(config, log);
  const database = await openDatabase(config, log, (sql) => sql`select 1`);
  try {
    await seeded(service.url, token);
    const story = await tellStory(database.sql, createStoryteller(service.url, token));
    await work({ url: service.url, token, story });
  } finally {
    await database.close();
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function seeded(url: string, token: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/api/status`, { headers: { authorization: `Bearer ${token}` } });
    const status = (await answer.json()) as { seeding: object | null; dataAgeMinutes: number | null };
    if (status.seeding === null && status.dataAgeMinutes !== null && status.dataAgeMinutes < 10) return;
    await sleep(1_000);
  }
}

/** The report as mail clients show it: 600 and 375 pixels wide, light and dark. */
async function takeReportPictures(browser: Browser, out: string): Promise<string[]> {
  const report = sampleReport();
  const plain = <T extends { gpuName: string }>(offer: T): T => ({ ...offer, gpuName: 'RTX 4090' });
  const html = renderReportHtml({ ...report, items: report.items.map(plain), gone: report.gone.map(plain) });
  const files: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [600, 375]) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 400 } });
      await page.setContent(html);
      const file = join(out, `report-${colorScheme}-${width}.png`);
      await page.screenshot({ path: file, fullPage: true });
      files.push(file);
      await page.close();
    }
  }
  return files;
}

async function main(): Promise<void> {
  // With names of views, only their pictures are taken.
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: 'string', default: join(import.meta.dirname, '..', 'docs', 'images') },
      /** Takes only the pictures of the report. */
      report: { type: 'boolean', default: false },
    },
  });
  const { out } = values;
  await mkdir(out, { recursive: true });
  const browser = await launchBrowser();
  const take = async ({ story, ...place }: Place): Promise<void> => {
    const all = Object.entries(picturesOf(story));
    const chosen = all.filter(([name]) => positionals.length === 0 || positionals.includes(name));
    const files = await takePictures(browser, { ...place, out, pictures: Object.fromEntries(chosen) });
    process.stdout.write(`${files.join('\n')}\n`);
  };
  try {
    process.stdout.write(`${(await takeReportPictures(browser, out)).join('\n')}\n`);
    if (values.report) return;
    await withOfferbook(take);
  } finally {
    await browser.close();
  }
}

await main();
