import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import { UserError } from '../../core/errors.ts';
import type { Api } from '../../core/terminal/api.ts';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { isRunning } from '../../market/instance-status.ts';
import { findInstance } from '../acting-options.ts';
import { stateWords } from '../state-words.ts';
import type { LedgerInstanceAnswer } from './ledger-answer.ts';

interface SshOptions {
  user: string;
  print?: true;
  wait: number;
}

const pollMs = 2_000;
const maxMinutes = 24 * 60;

/** `offerbook ssh`. */
export function sshCommand(context: CommandContext): Command {
  return new Command('ssh')
    .description('log in to an instance over SSH; waits while the instance is starting')
    .argument('<instance>', 'id or label, as `instances` shows it')
    .option('--user <name>', 'user to log in as', 'root')
    .option('--wait <minutes>', 'how long to wait for an instance that is starting', toMinutes, 10)
    .option('--print', 'print the command instead of running it')
    .addHelpText('after', '\nExample:\n  offerbook ssh train')
    .action(async (name: string, { user, print, wait }: SshOptions) => {
      await context.withApi(async (api) => {
        const { sshHost, sshPort } = await untilReachable(context, api, { name, minutes: wait });
        const args = ['-p', String(sshPort), `${user}@${sshHost}`];
        if (print === true || !context.interactive) {
          context.print(`ssh ${args.join(' ')}`);
          return;
        }
        const child = spawn('ssh', args, { stdio: 'inherit' });
        const [code] = (await once(child, 'exit')) as [number | null];
        context.exitWith(code ?? 1);
      });
    });
}

/** Returns the instance once it runs, or after the wait as soon as it has an address. @throws {UserError} It does not start, or not in time. */
async function untilReachable(
  { note, signal }: CommandContext,
  api: Api,
  { name, minutes }: { name: string; minutes: number },
): Promise<LedgerInstanceAnswer> {
  const until = Date.now() + minutes * 60_000;
  for (let tries = 1; ; tries += 1) {
    const instance = await findInstance(api, name);
    const { sshHost, sshPort, state } = instance;
    const isStarting = state === 'provisioning' && !isRunning(instance);
    const isLate = Date.now() >= until;
    // Markets state the address before anything listens there.
    if (sshHost !== null && sshPort !== null && (!isStarting || isLate)) return instance;
    if (!isStarting)
      throw new UserError(
        `${name} is ${stateWords(state)} and has no SSH address. \`offerbook instances\` says why.`,
      );
    if (isLate)
      throw new UserError(
        `${name} is still starting and has no SSH address yet. Try again later or give --wait more minutes.`,
      );
    if (tries === 1) note(`${name} is starting. Waiting up to ${minutes} min…`);
    await delay(pollMs, undefined, { signal }).catch(() => {
      throw signal.reason;
    });
  }
}

function toMinutes(text: string): number {
  const minutes = Number(text);
  if (text.trim() !== '' && minutes >= 0 && minutes <= maxMinutes) return minutes;
  throw new InvalidArgumentError(`Give minutes from 0 to ${maxMinutes}.`);
}
