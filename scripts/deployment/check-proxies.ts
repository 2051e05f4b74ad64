import { readFile, writeFile } from 'node:fs/promises';
import { type RequestOptions, request } from 'node:https';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/free-port.ts';
import { launchBrowser } from '../../test/web/browser.ts';
import { type Certificates, makeCertificates } from './make-certificates.ts';
import type { OwnPostgres } from './own-postgres.ts';
import { giveAway, makeFolder, startProgram } from './run-program.ts';
import { type Expect, startChecked, token } from './use-service.ts';

const recipeOf = async (name: string): Promise<string> =>
  await readFile(fileURLToPath(new URL(`../../docs/deploy/${name}`, import.meta.url)), 'utf8');

interface Place {
  certificates: Certificates;
  port: number;
  servicePort: number;
  basePath: string;
}

/** Tries both web servers as the guide configures them, at the root of a host and below a path. */
export async function checkProxies(server: OwnPostgres, expect: Expect): Promise<void> {
  const certificates = await makeCertificates(await makeFolder('certificates'), 'localhost');
  for (const [name, start, basePath] of [
    ['nginx', startNginx, ''],
    ['nginx', startNginx, '/offerbook'],
    ['caddy', startCaddy, ''],
    ['caddy', startCaddy, '/offerbook'],
  ] as const) {
    const database = `behind_${name}_${basePath.slice(1)}`;
    await server.run(`create database ${database}`);
    const [port, servicePort] = [await freePort(), await freePort()];
    const service = await startChecked({
      ...{ DATABASE_URL: server.url(database), PORT: String(servicePort) },
      ...{ PUBLIC_URL: `https://localhost:${port}${basePath}`, TRUSTED_PROXIES: '127.0.0.1' },
    });
    const proxy = await start({ certificates, port, servicePort, basePath });
    const how = `behind ${name} at ${basePath}/`;
    try {
      await askThrough(
        { port, basePath, ca: await readFile(certificates.authority, 'utf8') },
        (holds, what, seen) => expect(holds, `${how} ${what}`, seen),
      );
      if (name === 'nginx' && basePath !== '') await browse(`https://localhost:${port}${basePath}`, expect);
    } finally {
      await proxy.end();
      await service.stop();
    }
  }
}

async function startNginx({ certificates, port, servicePort, basePath }: Place) {
  const folder = await makeFolder('nginx');
  const file = join(folder, 'nginx.conf');
  const recipe = (await recipeOf('nginx.conf'))
    .replaceAll('offerbook.example', 'localhost')
    .replace('127.0.0.1:8080', `127.0.0.1:${servicePort}`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('listen 80', `listen 127.0.0.1:${await freePort()}`)
    .replace(/ssl_certificate .*/, `ssl_certificate ${certificates.certificate};`)
    .replace(/ssl_certificate_key .*/, `ssl_certificate_key ${certificates.key};`)
    .replace('location / {', `location ${basePath}/ {`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  await writeFile(
    file,
    `daemon off; pid ${join(folder, 'pid')}; error_log stderr; events {}\nhttp { access_log off; ${temporary.join(' ')}\n${recipe}\n}\n`,
  );
  await giveAway(file);
  return await startProgram(
    'nginx',
    ['-p', folder, '-e', 'stderr', '-c', file],
    async () => await listens(port),
  );
}

async function startCaddy({ certificates, port, servicePort, basePath }: Place) {
  const folder = await makeFolder('caddy');
  const file = join(folder, 'Caddyfile');
  const recipe = (await recipeOf('Caddyfile'))
    .replace('127.0.0.1:8080', `127.0.0.1:${servicePort}`)
    .replace(
      /^offerbook\.example \{/m,
      `https://localhost:${port} {\n\ttls ${certificates.certificate} ${certificates.key}`,
    )
    .replace(/^\treverse_proxy /m, `\treverse_proxy ${basePath === '' ? '' : `${basePath}* `}`);
  // The certificate is given, and there is no other server to talk to.
  await writeFile(file, `{\n\tadmin off\n\tauto_https off\n}\n${recipe}`);
  await giveAway(file);
  const env = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
  return await startProgram(
    'caddy',
    ['run', '--config', file, '--adapter', 'caddyfile'],
    async () => await listens(port),
    {
      env,
    },
  );
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

interface Asked {
  port: number;
  path: string;
  ca?: string;
  /** The client's address, of this machine. */
  from?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Ends once the body holds this. */
  until?: string;
}

async function ask({
  port,
  path,
  ca,
  from = '127.0.0.2',
  method = 'GET',
  headers = {},
  body,
  until,
}: Asked): Promise<Answer> {
  const options: RequestOptions = {
    ...{ host: '127.0.0.1', servername: 'localhost', port, path, method, localAddress: from, agent: false },
    ...(ca === undefined ? { rejectUnauthorized: false } : { ca }),
    headers: { host: `localhost:${port}`, ...headers },
    timeout: 10_000,
  };
  return await new Promise((resolve, reject) => {
    const sent = request(options, (answer) => {
      let text = '';
      const done = (): void => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text });
        sent.destroy();
      };
      answer.on('data', (part: Buffer) => {
        text += part.toString();
        if (until !== undefined && text.includes(until)) done();
      });
      answer.on('end', done);
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.on('timeout', () => sent.destroy(new Error(`${path} takes too long`)));
    sent.end(body);
  });
}

const listens = async (port: number): Promise<boolean> => (await ask({ port, path: '/' })).status > 0;

/** Asks for page, API, events, login and figures as strangers would, and guesses tokens from one address. */
async function askThrough(
  { port, basePath, ca }: { port: number; basePath: string; ca: string },
  expect: Expect,
): Promise<void> {
  const at = async (path: string, more: Partial<Asked> = {}): Promise<Answer> =>
    await ask({ port, ca, path: basePath + path, ...more });
  const page = await at('/trends');
  const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(page.body) ?? [];
  expect(script.startsWith(`${basePath}/assets/`), 'the page names its script', script);
  expect((await ask({ port, ca, path: script })).status === 200, 'the script is served');
  const origin = { origin: `https://localhost:${port}`, 'content-type': 'application/json' };
  const login = await at('/api/session', {
    method: 'POST',
    headers: origin,
    body: JSON.stringify({ token }),
  });
  const [cookie = ''] = [login.headers['set-cookie'] ?? ''].flat();
  expect(
    login.status === 204 && /; Secure/.test(cookie) && cookie.includes(`Path=${basePath || '/'};`),
    'a login gives a secure cookie of this path',
    cookie.replace(/=[^;]+/, '=…'),
  );
  const session = { cookie: cookie.split(';')[0] ?? '' };
  expect((await at('/api/status', { headers: session })).status === 200, 'the API knows the session');
  const events = await at('/api/events', { headers: session, until: 'event: hello' });
  expect(events.body.includes('event: hello'), 'events come at once');
  expect((await at('/metrics')).status === 401, 'figures need a token');
  const statuses: number[] = [];
  for (let guess = 0; guess < 7; guess += 1) {
    // Whatever a client says of itself.
    const headers = {
      authorization: `Bearer guess-number-${guess}`,
      'x-forwarded-for': `198.51.100.${guess}`,
    };
    statuses.push((await at('/api/status', { headers })).status);
  }
  expect(statuses.join() === '401,401,401,401,401,429,429', 'an address that guesses has to wait', statuses);
  const other = await at('/api/status', {
    from: '127.0.0.3',
    headers: { authorization: 'Bearer a-typing-mistake' },
  });
  expect(other.status === 401, 'another address does not', other.status);
}

/** Logs in, follows a link and reloads in a real browser below a path. */
async function browse(url: string, expect: Expect): Promise<void> {
  const browser = await launchBrowser();
  try {
    const page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
    const outside: string[] = [];
    const refused: string[] = [];
    page.on('request', (sent) => {
      if (!sent.url().startsWith(`${url}/`)) outside.push(sent.url());
    });
    page.on('response', (answer) => {
      if (answer.status() >= 400 && answer.status() !== 401)
        refused.push(`${answer.status()} ${answer.url()}`);
    });
    await page.goto(`${url}/trends`);
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Deals' }).first().click();
    await page.waitForURL(`${url}/deals*`);
    await page.reload();
    await page.locator('h1', { hasText: 'Deals' }).waitFor();
    const links = await page
      .locator('a[href^="/"]')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    const path = new URL(url).pathname;
    expect(
      links.length > 5 && links.every((link) => link.startsWith(`${path}/`)),
      'all links stay below the path',
      links,
    );
    expect(outside.length === 0, 'the page asks for nothing outside its path', outside);
    expect(refused.length === 0, 'nothing that the page asks for is refused', refused);
  } finally {
    await browser.close();
  }
}
