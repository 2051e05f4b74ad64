import { Argument, Command } from 'commander';
import { completionScripts, type Shell } from '../../core/terminal/completion.ts';
import type { ServiceContext } from '../service-context.ts';

/** `offerbook completion`. */
export function completionCommand(context: ServiceContext): Command {
  return new Command('completion')
    .description('print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>', 'shell').choices(Object.keys(completionScripts)))
    .addHelpText('after', '\nExample:\n  offerbook completion bash >> ~/.bashrc')
    .action((shell: Shell, _: object, command: Command) => {
      let program = command;
      while (program.parent !== null) program = program.parent;
      context.print(completionScripts[shell](program));
    });
}
