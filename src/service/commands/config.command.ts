import { Command } from 'commander';
import { formatTable } from '../../core/terminal/table.ts';
import type { ServiceContext } from '../service-context.ts';

/** `offerbook config`. */
export function configCommand(context: ServiceContext): Command {
  return new Command('config')
    .description('check the configuration')
    .addHelpText('after', '\nExample:\n  offerbook config check')
    .addCommand(checkCommand(context));
}

function checkCommand(context: ServiceContext): Command {
  return new Command('check')
    .description('check the configuration and show every setting that is not at its default')
    .option('--all', 'show every setting')
    .option('--json', 'print JSON, with every setting')
    .addHelpText('after', '\nExample:\n  offerbook config check')
    .action(({ all, json }: { all?: true; json?: true }) => {
      context.config();
      const described = context.settings();
      const mistyped = context.mistyped();
      if (json) return context.print(JSON.stringify({ settings: described, mistyped }));
      const rows = described
        .filter(({ source }) => all === true || source === 'environment' || source === 'file')
        .map(({ name, value, source }) => [name, value ?? '', source]);
      context.print(
        rows.length === 0
          ? 'The configuration is valid. Every setting is at its default.'
          : `${formatTable(['Setting', 'Value', 'From'], rows)}\nThe configuration is valid.`,
      );
      mistyped.forEach(context.note);
    });
}
