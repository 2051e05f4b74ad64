import type { Command } from 'commander';

/** What can follow a command, and the choices of its options. */
interface Node {
  /** Path like `watch add`; empty for the program. */
  path: string;
  words: { word: string; about: string }[];
  /** The choices of each option. */
  choices: [flag: string, values: readonly string[]][];
}

function nodesOf(command: Command, path: readonly string[] = []): Node[] {
  const options = command.options.filter(({ hidden }) => !hidden);
  const node: Node = {
    path: path.join(' '),
    words: [
      ...command.commands.flatMap((child) =>
        [child.name(), ...child.aliases()].map((word) => ({ word, about: child.description() })),
      ),
      ...command.registeredArguments.flatMap(({ argChoices, description }) =>
        (argChoices ?? []).map((word) => ({ word, about: description })),
      ),
      ...options.map(({ long, description }) => ({ word: long ?? '', about: description })),
      { word: '--help', about: 'show help' },
    ],
    choices: options.flatMap(({ long, argChoices }) =>
      argChoices === undefined ? [] : [[long ?? '', argChoices] as [string, readonly string[]]],
    ),
  };
  const children = command.commands.flatMap((child) =>
    [child.name(), ...child.aliases()].flatMap((word) => nodesOf(child, [...path, word])),
  );
  return [node, ...children];
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const bashWords = `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`;
const zshWords = `"\${words[@]:1:$((CURRENT-2))}"`;

/** Shell code that collects the typed words that name a command in `path`, for zsh and bash. */
const findPath = (nodes: readonly Node[], words: string): string => `  local path="" word
  for word in ${words}; do
    case "\${path:+$path }$word" in
      ${nodes
        .filter(({ path }) => path !== '')
        .map(({ path }) => quoted(path))
        .join('|')}) path="\${path:+$path }$word" ;;
    esac
  done`;

const valueCases = (nodes: readonly Node[], line: (values: readonly string[]) => string): string =>
  nodes
    .flatMap(({ path, choices }) =>
      choices.map(([flag, values]) => `    ${quoted(`${path} ${flag}`)}) ${line(values)}; return ;;`),
    )
    .join('\n');

function bash(program: Command): string {
  const [name, nodes] = [program.name(), nodesOf(program)];
  const words = nodes.map(
    ({ path, words: each }) =>
      `    ${quoted(path)}) words=${quoted(each.map(({ word }) => word).join(' '))} ;;`,
  );
  return `# bash completion for ${name}
_${name}() {
  local words="" current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
${findPath(nodes, bashWords)}
  case "$path $before" in
${valueCases(nodes, (values) => `COMPREPLY=($(compgen -W ${quoted(values.join(' '))} -- "$current"))`)}
  esac
  case "$path" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${name} ${name}`;
}

function zsh(program: Command): string {
  const [name, nodes] = [program.name(), nodesOf(program)];
  const words = nodes.map(({ path, words: each }) => {
    const described = each.map(({ word, about }) => quoted(`${word}:${about.replaceAll(':', '\\:')}`));
    return `    ${quoted(path)}) words_here=(${described.join(' ')}) ;;`;
  });
  return `#compdef ${name}
# zsh completion for ${name}
_${name}() {
  local -a words_here
  local before="\${words[CURRENT-1]}"
${findPath(nodes, zshWords)}
  case "$path $before" in
${valueCases(nodes, (values) => `compadd -- ${values.map(quoted).join(' ')}`)}
  esac
  case "$path" in
${words.join('\n')}
  esac
  _describe ${quoted(name)} words_here
  _files
}
compdef _${name} ${name}`;
}

function fish(program: Command): string {
  const [name, nodes] = [program.name(), nodesOf(program)];
  const lines = nodes.flatMap(({ path, words, choices }) => {
    const here = `-n ${quoted(`__${name}_at ${quoted(path)}`)}`;
    const values = new Map(choices);
    return words.map(({ word, about }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      const fixed = values.get(word);
      const taken = fixed === undefined ? '' : ` -x -a ${quoted(fixed.join(' '))}`;
      return `complete -c ${name} ${here} ${what}${taken} -d ${quoted(about)}`;
    });
  });
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  return `# fish completion for ${name}
function __${name}_at
  set -l path ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim "$path $word")
    if contains -- "$next" ${paths.join(' ')}
      set path $next
    end
  end
  test "$path" = "$argv[1]"
end
${lines.join('\n')}`;
}

/** Returns the completion script of a program for each shell. */
export const completionScripts = { bash, zsh, fish } as const;
export type Shell = keyof typeof completionScripts;
