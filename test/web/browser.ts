import { execFile } from 'node:child_process';
import { access, chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

/**
 * A real Chromium from the npm package, with its own fonts, so that pictures are the same on every machine.
 * The caller closes it. Works as root, without a system browser, without a network.
 */
export async function launchBrowser(): Promise<Browser> {
  const folder = await unpackedBrowser();
  const plain = { ...process.env, FONTCONFIG_FILE: join(folder, 'fonts.conf') };
  try {
    return await launch(folder, plain);
  } catch (error) {
    if (!String(error).includes('error while loading shared libraries')) throw error;
    // The package contains NSS, which bare machines lack. It is built for another system: used only if it is missing.
    return launch(folder, { ...plain, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') });
  }
}

const launch = (folder: string, env: NodeJS.ProcessEnv) =>
  chromium.launch({
    executablePath: join(folder, 'chromium'),
    env: env as Record<string, string>,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--font-render-hinting=none',
    ],
  });

const unpack = `
  const { default: chromium } = await import(process.argv[1]);
  await chromium.executablePath();
`;

/**
 * Folder of the unpacked browser, unpacked at first use. The package itself would unpack to a fixed path below
 * /tmp, which may hold another user's copy or an incomplete one; here it appears complete, inside the package.
 */
async function unpackedBrowser(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const root = join(dirname(entry), '..', '..');
  const folder = join(root, '.unpacked');
  if (await exists(folder)) return folder;
  const draft = await mkdtemp(join(root, '.unpacking-'));
  try {
    // The execution environment makes the package unpack its libraries too.
    const env = { ...process.env, TMPDIR: draft, AWS_EXECUTION_ENV: 'nodejs24.x' };
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', unpack, entry], { env });
    await writeFile(join(draft, 'fonts.conf'), fontsConfig(folder));
    // The package unpacks for one user only, but another may run the checkout.
    for (const path of [draft, join(draft, 'chromium')]) await chmod(path, 0o755);
    await rename(draft, folder).catch(async (error) => {
      // Another process was faster: its copy is as good.
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

const fontsConfig = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;
