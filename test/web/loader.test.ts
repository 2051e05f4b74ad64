import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Status } from '../../client/client.js';
import { getStatus } from '../../client/operations.js';
import { createApiClient } from '../../web/core/api-client.ts';
import { createLoader } from '../../web/core/loader.ts';
import { pathTo } from '../../web/core/path-to.ts';

it('a server that accepts a request and never responds counts as not answering', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const api = createApiClient(
    (path, init) => fetch(base + String(path), init),
    () => {},
  );
  const loader = createLoader<Status>(api, { timeoutMs: 50 });
  loader.load(pathTo(getStatus, {}));
  expect(loader.state.value).toMatchObject({ loading: true, problem: null });
  await vi.waitFor(() => expect(loader.state.value.loading).toBe(false));
  expect(loader.state.value.problem).toMatchObject({ status: null, title: 'Offerbook is not responding' });
});
