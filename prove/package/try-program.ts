import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../src/core/log.ts';
import { freePort } from '../../test/support/free-port.ts';
import { openMailServer } from '../../test/support/open-mail-server.ts';
import type { Proof } from '../proof.ts';
import { type CommandEnd, type InstalledProgram, installProgram } from './installed-program.ts';

const token = 'only-for-this-proof-of-the-package';
const maxTarballBytes = 3_000_000;
const startTries = 300;
const startPauseMs = 100;
/** What a published package needs, and what belongs to a checkout alone. */
const needed = [
  'web/dist/index.html',
  'migrations/meta/_journal.json',
  ...['README.md', 'docs/meaning.md', 'docs/api.md', 'docs/guides/install-and-upgrade.md'],
  ...['docs/deploy/offerbook.service', 'docs/prometheus/alerts.yml', 'build/reference/LICENSE'],
  'client/client.d.ts',
  ...['LICENSE', 'SECURITY.md'],
];
const unwanted = /\.tsx?$|^(test|prove|bench(?!\/RESULTS\.md)|scripts|src)\/|snapshot\.json$/;

/** Tries everything that reads files of the program or its packages, as a stranger who installed the tarball. */
export async function tryProgram(node: string, { npx, log }: { npx: boolean; log: Log }): Promise<Proof> {
  const program = await installProgram(node);
  log.info({}, 'installed');
  const failures: string[] = [];
  const expect = (holds: boolean, what: string, seen: unknown = ''): void => {
    if (!holds) failures.push(`on Node ${node}: ${what} ${JSON.stringify(seen)}`);
  };
  try {
    const { size, files } = program.npmPack;
    const tooMany = files.filter((path) => unwanted.test(path) && !path.endsWith('.d.ts'));
    expect(size < maxTarballBytes, 'the tarball is too large', size);
    expect(tooMany.length === 0, 'the tarball has what only a checkout needs', tooMany);
    expect(
      needed.every((path) => files.includes(path)),
      'the tarball lacks files',
      files,
    );
    const before = await program.files();
    const reporting = before.filter((path) => /@scarf|swagger-ui-dist/.test(path));
    expect(reporting.length === 0, 'no package is installed that reports installs', reporting);
    await useProgram(program, expect, log);
    if (npx) {
      const end = await program.npx(['--version']);
      expect(end.code === 0 && /^\d/.test(end.stdout), 'npx runs the tarball', end);
    }
    const written = (await program.files()).filter((path) => !before.includes(path));
    expect(written.length === 0, 'the program wrote where it is installed', written);
    return {
      ok: failures.length === 0,
      counts: {
        [`bytes of the tarball, on Node ${node}`]: size,
        [`files in it, on Node ${node}`]: files.length,
      },
      failures,
    };
  } finally {
    await program.remove();
  }
}

type Expect = (holds: boolean, what: string, seen?: unknown) => void;
const isDone = ({ code, stderr }: CommandEnd): boolean => code === 0 && stderr === '';

async function useProgram(program: InstalledProgram, expect: Expect, log: Log): Promise<void> {
  const mails = await openMailServer();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const local = { DATA_DIR: join(program.folder, 'data'), SMTP_URL: mails.url };
  const over = { ...local, OFFERBOOK_URL: url, OFFERBOOK_TOKEN: token };
  const step = async (
    args: readonly string[],
    env: Record<string, string>,
    stdin?: string,
  ): Promise<string> => {
    const end = await program.run(args, env, stdin);
    log.info({}, `offerbook ${args.join(' ')}`);
    expect(isDone(end), `offerbook ${args.join(' ')}`, end);
    return end.stdout;
  };
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string;
  };
  const cache = join(program.folder, 'home/.cache/offerbook');
  await program.plant(join(cache, '0.9.0'));
  expect((await step(['--version'], {})) === `${version}\n`, 'offerbook --version says the version');
  const kept = await readdir(cache);
  expect(kept.join() === version, "only this version's compiled code is kept", kept);
  const [readme = ''] = /\/\S+README\.md/.exec(await step(['--help'], {})) ?? [];
  expect(
    (await readFile(readme, 'utf8').catch(() => '')) !== '',
    'the help names documents that exist',
    readme,
  );
  const service = program.start({
    ...local,
    PORT: String(port),
    OFFERBOOK_TOKEN: token,
    CRAWL_OFFERS: 'off',
  });
  try {
    const answers = await eventually(async () => (await fetch(`${url}/healthz`)).ok);
    expect(answers, 'the service starts', service.log());
    await tryPages(url, expect);
    const crawled = idsIn(await step(['crawl', 'offers', '--json'], local));
    expect(crawled.length > 0, 'a crawl has an id');
    await step(
      ['channel', 'add', '--kind', 'email', '--name', 'mail', '--config', 'to=ada@example.com'],
      over,
    );
    await step(['channel', 'test', 'mail'], over);
    expect(mails.recipients.flat().includes('ada@example.com'), 'a mail arrives', mails.recipients);
    const ask = '{"jsonrpc":"2.0","id":1,"method":"resources/list"}\n';
    expect(
      (await step(['mcp'], over, ask)).includes('offerbook://meaning/'),
      'agents read what figures mean',
    );
    await step(['export', 'offers', '--out', 'offers.xlsx'], over);
    const workbook = await readFile(join(program.folder, 'offers.xlsx'));
    expect(workbook.subarray(0, 2).toString() === 'PK', 'a workbook is written', workbook.length);
    await step(['lake', '--out', 'lake', '--open-day', '--tables', 'books'], local);
    await step(['backup', 'offerbook.backup'], local);
    const ended = await service.stop();
    expect(ended.code === 0, 'the service ends when asked to', ended);
    expect(ended.stdout.includes('`offerbook token login`'), 'the start names the command', ended.stdout);
    const link = await program.run(['token', 'login'], local);
    const says = /^http.*\n$/.test(link.stdout) && /^No service runs/.test(link.stderr);
    expect(link.code === 0 && says, 'a login link without a service says so', link);
    const restored = { DATA_DIR: join(program.folder, 'restored') };
    const end = await step(['restore', 'offerbook.backup'], restored);
    expect(end.includes('`offerbook token rotate`'), 'a restore says that the token is missing', end);
    const found = idsIn(await step(['crawls', '--json'], restored));
    expect(
      crawled.every((id) => found.includes(id)),
      'a restored database has the crawl',
      { crawled, found },
    );
  } finally {
    await service.stop();
    await mails.close();
  }
}

const idsIn = (text: string): string[] => text.match(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g) ?? [];

/** Everything that the service reads from files. */
async function tryPages(url: string, expect: Expect): Promise<void> {
  const get = async (path: string): Promise<string> => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    const body = await answer.text();
    expect(answer.status === 200 && body.length > 200, `${path} is served`, answer.status);
    return body;
  };
  const page = await get('/');
  const [script = ''] = /\/assets\/[\w-]+\.js/.exec(page) ?? [];
  expect(page.includes('name="command" content="offerbook"'), 'the page knows the command');
  for (const path of [script, '/service-worker.js', '/api/openapi.json']) await get(path);
  for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'settings.md'])
    await get(`/api/docs/${file}`);
}

async function eventually(isTrue: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < startTries; tries += 1) {
    if (await isTrue().catch(() => false)) return true;
    await delay(startPauseMs);
  }
  return false;
}
