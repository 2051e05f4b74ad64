import { Command, CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { escapeForTerminal } from './core/control-characters.ts';
import { UsageError, UserError } from './core/errors.ts';
import { documentAt } from './core/program-file.ts';
import { exitCodes } from './core/terminal/command-context.ts';
import { explainDatabaseFailure } from './database/explain-failure.ts';
import { surviveLostConnections } from './database/survive-lost-connections.ts';
import { commandGroups } from './service/commands/command-registry.ts';
import { helpOf } from './service/commands/help-of.ts';
import { plainUsageError } from './service/commands/option-names.ts';
import { loadConfig } from './service/config.ts';
import { createLog } from './service/create-log.ts';
import { describeSettings } from './service/describe-settings.ts';
import { endAtOnce, endSoon, watchForEnd } from './service/end-in-words.ts';
import { mistypedSettings } from './service/mistyped-settings.ts';
import { createServiceContext, type ServiceContext } from './service/service-context.ts';

const exitPatienceMs = 3_000;
const sameSignalMs = 1_500;

/** Runs the `offerbook` command and ends the process with one of the exit codes. */
export async function run(argv: string[]): Promise<void> {
  surviveLostConnections(process);
  const stop = new AbortController();
  const command = argv.find((word) => !word.startsWith('-')) ?? '';
  let firstAt: number | null = null;
  // A terminal sends SIGHUP when it is closed.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      firstAt ??= performance.now();
      // Ctrl-C reaches this process from the terminal and again from npm: both are one request to stop. A later signal,
      // from someone who does not want to wait, ends the process at once; that is safe, because the database only
      // stores complete transactions.
      if (performance.now() - firstAt > sameSignalMs) endAtOnce('Stopped at once. Stored data is intact.');
      stop.abort(new UserError('Stopped.', { cause: name }));
      // The service itself reports how long it takes to stop.
      if (command !== 'start') endSoon(command);
    });
  }
  // A closed terminal or a full disk takes no message, which must not keep anything from being closed.
  process.stderr.on('error', () => {});
  let lost: Error | null = null;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader like `head` closes the pipe once it has seen enough: not an error.
    if (error.code === 'EPIPE') process.exit(exitCodes.done);
    if (lost !== null) return;
    lost = error;
    process.exitCode = exitCodes.failed;
    const hint = error.code === 'ENOSPC' ? 'free some space there' : 'check where stdout goes';
    process.stderr.write(`Cannot write the output (${error.code}): ${hint}, then run the command again.\n`);
  });
  const ended = watchForEnd(command);
  const code = await execute(argv, createContext(stop.signal), (error) => error === lost);
  process.exitCode = lost === null ? code : exitCodes.failed;
  ended();
  // A handle that was not closed must not keep a finished command alive.
  setTimeout(() => process.exit(), exitPatienceMs).unref();
}

async function execute(
  argv: string[],
  context: ServiceContext,
  isReported: (error: unknown) => boolean,
): Promise<number> {
  const program = createProgram(context);
  try {
    await program.parseAsync(helpOf(program, argv), { from: 'user' });
    return Number(process.exitCode ?? exitCodes.done);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    if (error instanceof UserError) {
      context.note(error.message);
      return error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
    }
    if (isReported(error)) return exitCodes.failed;
    const failure = explainDatabaseFailure(error);
    if (failure !== null) {
      context.note(failure);
      return exitCodes.failed;
    }
    context.note(`Something unexpected went wrong: ${(error as Error)?.stack ?? String(error)}`);
    return exitCodes.failed;
  }
}

/** Returns the command tree; a test checks with it that every command is documented. */
export function createProgram(context: ServiceContext): Command {
  const program = new Command('offerbook')
    .description('GPU rental prices over time: track, alert, rent, account')
    .version(packageJson.version, '--version', 'print the version')
    .addHelpText('after', `\nDocuments: ${documentAt('README.md')} and what it names`)
    .hook('preAction', (_program, action) => {
      if (context.running !== undefined) context.running.command = action;
    });
  for (const [group, commands] of Object.entries(commandGroups)) {
    program.commandsGroup(`${group}:`);
    for (const make of commands) program.addCommand(make(context));
  }
  return withPlainErrors(program, program.name());
}

/** Makes a command and its subcommands report wrong usage in plain words and with the help to read. */
function withPlainErrors(command: Command, path: string): Command {
  command
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`${plainUsageError(text, command)}\n`) })
    .showHelpAfterError(`\`${path} --help\` shows the usage.`);
  for (const child of command.commands) withPlainErrors(child, `${path} ${child.name()}`);
  return command;
}

function createContext(signal: AbortSignal): ServiceContext {
  const config = () => loadConfig(process.env);
  return createServiceContext({
    version: packageJson.version,
    config,
    settings: () => describeSettings(process.env),
    mistyped: () => mistypedSettings(process.env),
    log: (who) => createLog(who === 'command' && !process.env.LOG_LEVEL ? 'warn' : config().logLevel),
    // All output passes through here, so text from outside is escaped in one place.
    print: (line) => void process.stdout.write(`${escapeForTerminal(line)}\n`),
    note: (line) => void process.stderr.write(`${escapeForTerminal(line)}\n`),
    interactive: process.stderr.isTTY === true,
    exitWith: (code) => {
      process.exitCode = code;
    },
    signal,
    running: { command: null },
  });
}
