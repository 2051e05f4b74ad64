import type { Command } from 'commander';
import { didYouMean } from '../../core/did-you-mean.ts';
import { suggestCommand } from './other-names.ts';

/** Turns `help NAME…` into the `--help` of that command, at any depth. Throws for an unknown command. */
export function helpOf(program: Command, argv: readonly string[]): string[] {
  const at = argv.indexOf('help');
  if (at === -1 || findCommand(program, argv.slice(0, at)) === null) return [...argv];
  const path = [...argv.slice(0, at), ...argv.slice(at + 1).filter((word) => !word.startsWith('-'))];
  for (const [index, word] of path.entries()) {
    const group = findCommand(program, path.slice(0, index));
    if (group === null || group.commands.some((child) => isCalled(child, word))) continue;
    const known = group.commands.flatMap((child) => [child.name(), ...child.aliases()]);
    const meant = suggestCommand(word, group);
    const list = known.length === 0 ? '' : ` Commands: ${known.join(', ')}.`;
    const guess = meant === null ? didYouMean(word, known) || list : ` ${meant}`;
    program.error(`Unknown command \`${path.slice(0, index + 1).join(' ')}\`.${guess}`);
  }
  return [...path, '--help'];
}

function findCommand(program: Command, path: readonly string[]): Command | null {
  let found: Command | undefined = program;
  for (const word of path) found = found?.commands.find((child) => isCalled(child, word));
  return found ?? null;
}

const isCalled = (command: Command, word: string): boolean =>
  command.name() === word || command.aliases().includes(word);
