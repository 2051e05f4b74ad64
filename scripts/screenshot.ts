import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { loadConfig } from '../src/config.ts';
import { createLog } from '../src/log.ts';
import { startService } from '../src/main.ts';
import { renderReportHtml } from '../src/notify/report/report-html.ts';
import { sampleReport } from '../test/notify/sample-report.ts';
import { launchBrowser } from '../test/web/browser.ts';

const sizes = [
  { suffix: '', viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
  { suffix: '-phone', viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 },
];

/** The views, by the name of their picture and their address. */
const views: Record<string, string> = {
  market: '/market',
  trends: '/trends?gpuName=RTX+4090&gpuName=RTX+5090&type=on-demand&type=bid',
  trend: '/trends?gpuName=RTX+4090',
  deals: '/deals?gpuName=RTX+4090',
  instances: '/instances',
  spend: '/spend',
  watches: '/watches/new?gpuName=RTX+4090&minReliability=0.95',
  crawls: '/crawls',
  settings: '/settings',
  start: '/start',
};

interface Wish {
  url: string;
  token: string;
  out: string;
}

async function takePictures(browser: Browser, { url, token, out }: Wish): Promise<string[]> {
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
      for (const [name, path] of Object.entries(views)) {
        await page.goto(new URL(path, url).href);
        await page.locator('.age').waitFor();
        await page.waitForFunction(
          () => document.querySelector('.notice.loading, [aria-busy="true"]') === null,
        );
        const file = join(out, `${name}-${colorScheme}${suffix}.png`);
        await page.screenshot({ path: file });
        files.push(file);
      }
      await context.close();
    }
  }
  return files;
}

/** An Offerbook of its own, on a new database with the simulated market's two weeks of history. */
async function withOfferbook(work: (place: { url: string; token: string }) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'offerbook-pictures-'));
  const token = 'pictures-only';
  const settings = { DATA_DIR: dataDir, PORT: '0', OFFERBOOK_TOKEN: token };
  const service = await startService(loadConfig(settings), createLog('error'));
  try {
    await seeded(service.url, token);
    await work({ url: service.url, token });
  } finally {
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
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      token: { type: 'string' },
      out: { type: 'string', default: join(import.meta.dirname, '..', 'docs', 'images') },
      /** The report's pictures alone. */
      report: { type: 'boolean', default: false },
    },
  });
  const { url, token, out } = values;
  await mkdir(out, { recursive: true });
  const browser = await launchBrowser();
  const take = async (place: { url: string; token: string }): Promise<void> => {
    const files = await takePictures(browser, { ...place, out });
    process.stdout.write(`${files.join('\n')}\n`);
  };
  try {
    process.stdout.write(`${(await takeReportPictures(browser, out)).join('\n')}\n`);
    if (values.report) return;
    // Of a running Offerbook where one is named, else of one made for the pictures.
    if (url !== undefined && token !== undefined) await take({ url, token });
    else await withOfferbook(take);
  } finally {
    await browser.close();
  }
}

await main();
