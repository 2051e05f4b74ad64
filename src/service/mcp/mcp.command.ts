import { Command } from 'commander';
import type { CommandContext } from '../../core/terminal/command-context.ts';

/** `offerbook mcp`. */
export function mcpCommand(context: CommandContext): Command {
  return new Command('mcp')
    .description('serve the Model Context Protocol on stdin and stdout, for agents')
    .addHelpText('after', '\nExample:\n  offerbook mcp')
    .action(async () => {
      await context.withApi(async (api) => {
        // A wrong address or token is reported now, not to the agent later.
        await api.getStatus();
        const { serveStdio } = await import('./serve-stdio.ts');
        await serveStdio(api, context);
      });
    });
}
