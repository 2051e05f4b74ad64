// The service on the clock of a file. Arguments: a SoakTask as JSON. Prints its address. Each message that it gets asks
// for the jobs that are due; it answers when they are queued.
import { serve } from '@hono/node-server';
import { loadConfig } from '../../src/service/config.ts';
import { createLog } from '../../src/service/create-log.ts';
import { createServiceApp } from '../../src/service/http/service-app.ts';
import { openRuntime } from '../../src/service/runtime.ts';
import { startServiceWork } from '../../src/service/service-work.ts';
import { openFileClock } from './file-clock.ts';
import type { SoakTask } from './soak-task.ts';

const { settings, clockFile } = JSON.parse(process.argv[2] ?? '{}') as SoakTask;
const config = loadConfig(settings);
const { now } = openFileClock(clockFile);
const runtime = await openRuntime(config, createLog('warn'), { isService: true, now });
const work = await startServiceWork(runtime);
const caller = { id: '', kind: 'token', role: 'admin', name: 'the proof' } as const;
const app = createServiceApp(runtime, work, { caller });
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
process.on('message', () => {
  void work.queueDue().then(() => process.send?.('queued'));
});
process.once('SIGTERM', () => {
  server.close();
  void work
    .stop()
    .then(() => runtime.close())
    .then(() => process.exit());
});
