import type { Command } from 'commander';
import { UserError } from '../../core/errors.ts';
import type { Api, Query, RequestOptions } from '../../core/terminal/api.ts';
import { type CommandContext, exitCodes } from '../../core/terminal/command-context.ts';
import type { Config } from '../config.ts';
import type { Runtime } from '../runtime.ts';
import { withOptionNames } from './option-names.ts';

/** A problem document of the API. */
class ApiRefusal extends Error {
  override name = 'ApiRefusal';
  readonly status: number;
  /** The problem's short name: `guard-refused`, for example. */
  readonly type: string;
  /** One line for each field that was refused. */
  readonly lines: readonly string[];

  constructor(status: number, type: string, message: string, lines: readonly string[]) {
    super(message);
    this.status = status;
    this.type = type;
    this.lines = lines;
  }
}

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
      await use(createApi((path, init) => fetchFrom(serverUrl, path, init, context.signal), token));
      return;
    }
    await context.withRuntime(async (runtime) => {
      const { createLocalApp } = await import('./local-app.ts');
      const app = createLocalApp(runtime, context.signal);
      await use(createApi(async (path, init) => await app.request(path, init), null));
    });
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    const message = [error.message, ...error.lines].join('\n');
    context.note(withOptionNames(message, context.running?.command ?? null));
    context.exitWith(exitCodeOf(error));
  }
}

function exitCodeOf({ status, type }: ApiRefusal): number {
  if (status === 400 || status === 422 || type === 'not-found') return exitCodes.usage;
  return type === 'guard-refused' ? exitCodes.refused : exitCodes.failed;
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

/** `token` is null where the caller is known without one. */
function createApi(send: (path: string, init: RequestInit) => Promise<Response>, token: string | null): Api {
  const open: Api['open'] = async (path, { method = 'GET', query = {}, body, headers = {} } = {}) => {
    const answer = await send(`${path}${searchOf(query)}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (answer.status >= 400) throw await refusalOf(answer);
    return answer;
  };
  const request: Api['request'] = async <T>(path: string, asked?: RequestOptions) => {
    const text = await (await open(path, asked)).text();
    return (text === '' ? null : JSON.parse(text)) as T;
  };
  return {
    open,
    request,
    find: async <T>(path: string) => {
      try {
        return await request<T>(path);
      } catch (error) {
        if (error instanceof ApiRefusal && error.status === 404) return null;
        throw error;
      }
    },
  };
}

function searchOf(query: Query): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of [value].flat()) params.append(name, String(one));
  }
  return params.size === 0 ? '' : `?${params}`;
}

async function refusalOf(answer: Response): Promise<ApiRefusal> {
  const text = await answer.text();
  let problem: {
    type?: string;
    title?: string;
    detail?: string;
    errors?: { name: string; detail: string }[];
  };
  try {
    problem = JSON.parse(text) as typeof problem;
  } catch {
    problem = {};
  }
  const { type = '', title, detail, errors = [] } = problem;
  const message = detail ?? title ?? `The server answered with ${answer.status}.`;
  const kind = type.split('#').at(-1) ?? '';
  // A guard's name is no option of the command.
  const shown = (name: string): string => (kind === 'guard-refused' ? name : `\`${name}\``);
  const lines = errors
    .filter((error) => !message.includes(error.detail))
    .map((error) => `${shown(error.name)} ${error.detail}`);
  return new ApiRefusal(answer.status, kind, /[.?!:]$/.test(message) ? message : `${message}.`, lines);
}
