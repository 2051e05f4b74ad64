import type { Command } from 'commander';

/**
 * The words with `help NAME…`, of the program or of a group, as the `--help` of that command, however deep it is. Ends as
 * wrong usage where there is none.
 */
export function helpOf(program: Command, argv: readonly string[]): string[] {
  const at = argv.indexOf('help');
  if (at === -1 || findCommand(program, argv.slice(0, at)) === null) return [...argv];
  const path = [...argv.slice(0, at), ...argv.slice(at + 1).filter((word) => !word.startsWith('-'))];
  for (const [index, word] of path.entries()) {
    const group = findCommand(program, path.slice(0, index));
    if (group === null || group.commands.some((child) => isCalled(child, word))) continue;
    const known = group.commands.map((child) => child.name()).join(', ');
    program.error(`There is no command \`${path.slice(0, index + 1).join(' ')}\`: ${sayKnown(group, known)}`);
  }
  return [...path, '--help'];
}

const sayKnown = (group: Command, known: string): string =>
  known === '' ? `\`${group.name()}\` has no commands of its own.` : `there is ${known}.`;

function findCommand(program: Command, path: readonly string[]): Command | null {
  let found: Command | undefined = program;
  for (const word of path) found = found?.commands.find((child) => isCalled(child, word));
  return found ?? null;
}

const isCalled = (command: Command, word: string): boolean =>
  command.name() === word || command.aliases().includes(word);
