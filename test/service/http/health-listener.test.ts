import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, startWorkerService } from '../../../src/main.ts';
import { loadConfig } from '../../../src/service/config.ts';
import { commandOf, readDockerfile } from '../../support/read-dockerfile.ts';
import { silentLog } from '../../support/silent-log.ts';
import { createTestDatabase, databaseUrl } from '../../support/test-database.ts';

const image = readDockerfile().at(-1);
const healthCommand = image === undefined ? '' : (commandOf(image, 'HEALTHCHECK').at(-1) ?? '');

describe('HEALTH_PORT', () => {
  let folder: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offerbook-health-'));
    const { target } = await createTestDatabase();
    env = { DATABASE_URL: databaseUrl(target), DATA_DIR: join(folder, 'data'), HEALTH_PORT: '0', PORT: '0' };
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(['worker', 'api'])(
    'serves health, readiness and metrics of a %s, and nothing else',
    async (role) => {
      const config = loadConfig({ ...env, ROLE: role, CRAWL_OFFERS: 'off', CRAWL_INSTANCES: 'off' });
      const started = await (role === 'worker' ? startWorkerService : startService)(config, silentLog);
      try {
        const statusOf = async (path: string, method = 'GET') =>
          (await fetch(`http://127.0.0.1:${started.healthPort}${path}`, { method })).status;
        expect(await statusOf('/healthz')).toBe(200);
        // Before the first book it is not ready.
        expect([200, 503]).toContain(await statusOf('/readyz'));
        expect(await statusOf('/metrics')).toBe(200);
        for (const path of ['/', '/api/status', '/login', '/api/session'])
          expect(await statusOf(path)).toBe(404);
        expect(await statusOf('/healthz', 'POST')).toBe(404);
        // The image's own check, as the container runs it.
        const port = String(started.healthPort);
        await promisify(execFile)(process.execPath, ['-e', healthCommand], { env: { HEALTH_PORT: port } });
      } finally {
        await started.stop();
      }
    },
  );
});

it('connections are kept longer than by Caddy (120 s) and nginx (60 s) in front', async () => {
  const { target } = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-kept-'));
  const env = { DATABASE_URL: databaseUrl(target), DATA_DIR: folder, ROLE: 'api', PORT: '0' };
  const service = await startService(loadConfig(env), silentLog);
  try {
    const { headers } = await fetch(`${service.url}/healthz`);
    expect(Number(/^timeout=(\d+)$/.exec(headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThan(120);
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
