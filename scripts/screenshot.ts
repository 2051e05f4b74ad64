import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../test/web/browser.ts';

const usage = `Usage: node scripts/screenshot.ts --url URL --token TOKEN [--query '?gpu=RTX+4090'] [--out docs/images]
Makes page-light.png, page-dark.png (1440 x 900) and page-light-phone.png, page-dark-phone.png (390 x 844)
of a running Offerbook.`;

const sizes = [
  { suffix: '', viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
  { suffix: '-phone', viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
];

interface Wish {
  url: string;
  token: string;
  query: string;
  out: string;
}

async function takePictures(browser: Browser, { url, token, query, out }: Wish): Promise<string[]> {
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
      await page.goto(new URL(`/${query}`, url).href);
      await page.locator('.figures').waitFor();
      await page.locator('#ranking tbody tr').first().waitFor();
      const file = join(out, `page-${colorScheme}${suffix}.png`);
      await page.screenshot({ path: file });
      files.push(file);
      await context.close();
    }
  }
  return files;
}

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    query: { type: 'string', default: '?gpu=RTX+4090' },
    out: { type: 'string', default: join(import.meta.dirname, '..', 'docs', 'images') },
  },
});
const { url, token, query, out } = values;
if (url === undefined || token === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else {
  await mkdir(out, { recursive: true });
  const browser = await launchBrowser();
  try {
    const files = await takePictures(browser, { url, token, query, out });
    process.stdout.write(`${files.join('\n')}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await browser.close();
  }
}
