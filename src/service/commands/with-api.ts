import type { Command } from 'commander';
import { ApiError, createClient } from '../../../client/client.js';
import { UserError } from '../../core/errors.ts';
import { programCommand } from '../../core/program-file.ts';
import type { Api } from '../../core/terminal/api.ts';
import { type CommandContext, exitCodes } from '../../core/terminal/command-context.ts';
import type { Config } from '../config.ts';
import type { Runtime } from '../runtime.ts';
import { wordsOfApiError } from './api-error-words.ts';
import { withOptionNames } from './option-names.ts';

/** The part of a command's context that requests need. */
export type ApiContext = Pick<CommandContext<Runtime>, 'withRuntime' | 'note' | 'exitWith' | 'signal'> & {
  config: () => Config;
  running?: { command: Command | null };
};

/**
 * Calls `use` with the API of the server at OFFERBOOK_URL, or without one with the same API on this machine's database.
 * Prints a refusal on stderr and sets the exit code: 2 for a wrong request or an unknown name, 4 for a guard, else 1.
 */
export async function withApi(context: ApiContext, use: (api: Api) => Promise<void>): Promise<void> {
  try {
    const { serverUrl, token } = context.config();
    if (serverUrl !== null) {
      if (token === null) {
        throw new UserError('OFFERBOOK_URL needs OFFERBOOK_TOKEN, a token of that server: set both.');
      }
      const send = (path: string, init: RequestInit) => fetchFrom(serverUrl, path, init, context.signal);
      await use(createClient({ fetch: send, token }) as Api);
      return;
    }
    await context.withRuntime(async (runtime) => {
      const { createLocalApp } = await import('./local-app.ts');
      const app = createLocalApp(runtime, context.signal);
      await use(createClient({ fetch: async (path, init) => await app.request(path, init) }) as Api);
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { serverUrl } = context.config();
    if (error.kind === 'not-authenticated' && serverUrl !== null) throw wrongToken(serverUrl);
    context.note(withOptionNames(wordsOfApiError(error), context.running?.command ?? null));
    context.exitWith(exitCodeOf(error));
  }
}

const wrongToken = (serverUrl: string): UserError =>
  new UserError(
    `OFFERBOOK_TOKEN is not a token of this Offerbook: the server at ${serverUrl} does not know it, or it was revoked. ` +
      'Set it to what the file `token` in the DATA_DIR of that server contains, or make a new one there with ' +
      `\`${programCommand()} token rotate\`.`,
  );

function exitCodeOf({ status, kind }: ApiError): number {
  if (status === 400 || status === 422 || kind === 'not-found') return exitCodes.usage;
  return kind === 'guard-refused' ? exitCodes.refused : exitCodes.failed;
}

async function fetchFrom(
  serverUrl: string,
  path: string,
  init: RequestInit,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(`${serverUrl}${path}`, { ...init, signal, redirect: 'error' });
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    const code = ((cause as Error).cause as NodeJS.ErrnoException | undefined)?.code ?? 'no answer';
    throw new UserError(
      `Cannot reach the server at ${serverUrl} (${code}): check that it runs and that OFFERBOOK_URL is right.`,
      { cause },
    );
  }
}
