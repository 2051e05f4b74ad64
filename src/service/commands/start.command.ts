import { Command } from 'commander';
import { programCommand } from '../../core/program-file.ts';
import type { Service, Started } from '../../main.ts';
import type { Config } from '../config.ts';
import { createLifeLog } from '../life-log.ts';
import type { ServiceContext } from '../service-context.ts';

export function startCommand(context: ServiceContext): Command {
  return new Command('start')
    .description('start the service: crawl on schedule, serve the API and the web page')
    .addHelpText('after', '\nExample:\n  PORT=9000 offerbook start')
    .action(async () => {
      const { startService, startWorkerService } = await import('../../main.ts');
      const config = context.config();
      context.mistyped().forEach(context.note);
      const log = context.log('service');
      const life = createLifeLog(log, { version: context.version, config });
      const service: Service | null = config.role === 'worker' ? null : await startService(config, log);
      const started: Started = service ?? (await startWorkerService(config, log));
      life.started(service?.url ?? null);
      if (started.notice !== null) context.print(started.notice);
      if (service === null) context.print(workerLine);
      else await announce(context, service, config.role);
      await new Promise<void>((resolve) => {
        if (context.signal.aborted) resolve();
        context.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await started.stop();
      life.stopped(reasonOf(context.signal));
    });
}

/** The name of the signal that ended the service. */
function reasonOf({ reason }: AbortSignal): string {
  const { cause, message } = reason as Error;
  return typeof cause === 'string' ? cause : message;
}

const workerLine =
  'Offerbook runs as a worker (ROLE=worker): it crawls, polls and sends on schedule and does not answer requests.';
const apiLine = 'It only answers requests (ROLE=api): scheduled work needs a process with ROLE=worker.';

async function announce(context: ServiceContext, service: Service, role: Config['role']): Promise<void> {
  context.print(`Offerbook listens on ${service.url}`);
  if (role === 'api') context.print(apiLine);
  if (context.interactive) context.print(`Sign in, within 10 minutes: ${await service.createLoginLink()}`);
  else context.print(`Sign in: \`${programCommand()} token login\` prints a one-time link.`);
}
