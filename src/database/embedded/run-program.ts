import { spawn } from 'node:child_process';
import { UserError } from '../../core/errors.ts';
import { type Account, spawnAs } from './account.ts';
import { errorCode } from './disk-problem.ts';

/** How a program ended; `exitCode` null: by a signal. */
interface Outcome {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a short program as `account` and waits for it. Throws UserError if it cannot be started. */
export async function runProgram(path: string, args: string[], account: Account | null): Promise<Outcome> {
  return await new Promise((resolve, reject) => {
    const child = spawn(path, args, { ...spawnAs(account), stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', (error) => reject(cannotStart(path, account, error)));
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}

/** Returns the error for a program of PostgreSQL that the system refused to start. */
export function cannotStart(path: string, account: Account | null, error: unknown): UserError {
  const reasons: Record<string, string> = {
    ENOENT: 'the bundled PostgreSQL needs glibc (it does not run on Alpine): set DATABASE_URL',
    EPERM: `this process may not run it as the user \`${account?.name ?? 'self'}\`: run as an ordinary user or set DATABASE_URL`,
    EACCES: 'permission denied: install Offerbook again or set DATABASE_URL',
  };
  const text = error instanceof Error ? error.message : String(error);
  return new UserError(`${path} cannot be started: ${reasons[errorCode(error) ?? ''] ?? text}`, {
    cause: error,
  });
}

/** What a server that starts or stops answers clients, such as `the database system is in recovery mode`. */
const answersClients = /: +the database system is /;

/**
 * Returns the line of PostgreSQL's output that says what went wrong, without its time: the last error that was not an
 * answer to a client, else the last line.
 */
export function errorLineOf(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const errors = lines.flatMap((line) => /\b(?:FATAL|PANIC|ERROR|error|fatal): .*/.exec(line)?.[0] ?? []);
  const own = errors.findLast((line) => !answersClients.test(line));
  return own ?? errors.at(-1) ?? lines.findLast((line) => line !== '') ?? 'it printed nothing';
}
