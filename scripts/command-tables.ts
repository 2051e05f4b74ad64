import type { Argument, Command, Option } from 'commander';

/** Returns `docs/commands.md` with the code's table of options under the heading of each command. */
export function documentCommands(text: string, program: Command): string {
  const [head = '', ...sections] = text.split(/^(?=## )/m);
  const commands = new Map(leavesOf(program, []));
  const written = sections.map((section) => {
    const path = /^## `offerbook ([^`]+)`/.exec(section)?.[1] ?? '';
    const command = commands.get(path);
    if (command === undefined)
      throw new Error(`docs/commands.md describes \`offerbook ${path}\`, which does not exist.`);
    commands.delete(path);
    const prose = section.replaceAll(/^\|.*\n/gm, '').trimEnd();
    return `${prose}\n${tableOf(command)}\n`;
  });
  const missing = [...commands.keys()];
  if (missing.length > 0) throw new Error(`docs/commands.md lacks: ${missing.join(', ')}`);
  return [head, ...written].join('').trimEnd().concat('\n');
}

/** Returns the commands that do something themselves, beside or without subcommands, by their full name. */
export function leavesOf(command: Command, path: readonly string[]): [string, Command][] {
  const children = command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]));
  const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0;
  return isGroup ? children : [[path.join(' '), command], ...children];
}

function tableOf(command: Command): string {
  const rows = [
    ...command.registeredArguments.map((each) => [
      argumentText(each),
      meaning(each.description, each.argChoices),
    ]),
    ...command.options.map((each) => [
      each.flags,
      meaning(each.description, each.argChoices, defaultOf(each)),
    ]),
  ];
  if (rows.length === 0) return '';
  return `\n| option | meaning |\n|---|---|\n${rows.map(([flags, says]) => `| \`${flags}\` | ${says} |\n`).join('')}`;
}

/** `<file...>` or `[id]` */
export function argumentText(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

const defaultOf = ({ defaultValue }: Option): string | null =>
  typeof defaultValue === 'string' || typeof defaultValue === 'number' ? String(defaultValue) : null;

function meaning(
  description: string,
  choices: readonly string[] | undefined,
  fallback: string | null = null,
): string {
  const text = description.replaceAll('|', '\\|');
  const values = choices === undefined ? '' : `: ${choices.map((value) => `\`${value}\``).join(', ')}`;
  const unset = fallback === null ? '' : ` (default: ${fallback})`;
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${unset}${values}`;
}
