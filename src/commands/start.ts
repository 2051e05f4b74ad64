import { Command } from 'commander';
import { startService } from '../main.ts';
import type { CommandContext } from './context.ts';

export function startCommand(context: CommandContext): Command {
  return new Command('start')
    .description('run the service: crawl on schedule, serve the API and the page')
    .addHelpText('after', '\nExample:\n  PORT=9000 offerbook start')
    .action(async () => {
      const config = context.config();
      const service = await startService(config, context.log('service'));
      if (service.notice !== null) context.print(service.notice);
      context.print(`Offerbook listens on ${service.url}`);
      if (context.interactive)
        context.print(`Sign in, within 10 minutes: ${await service.createLoginLink()}`);
      else context.print('Sign in: `npx offerbook token login` prints a one-time link.');
      await new Promise<void>((resolve) => {
        if (context.signal.aborted) resolve();
        context.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await service.stop();
    });
}
