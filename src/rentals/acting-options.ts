import { UsageError, UserError } from '../core/errors.ts';
import type { Api } from '../core/terminal/api.ts';
import type { CommandContext } from '../core/terminal/command-context.ts';
import type { LedgerInstanceAnswer } from './instances/ledger-answer.ts';

/**
 * Calls the API to change an account. The built-in simulator's account is lost when its process ends, so it needs a
 * running server.
 */
export async function actByApi(context: CommandContext, work: (api: Api) => Promise<void>): Promise<void> {
  const { market, serverUrl } = context.config();
  if (market === null && serverUrl === null) {
    throw new UserError(
      'The account of the built-in simulator lives in the running service. Run `offerbook start`, then set ' +
        'OFFERBOOK_URL and OFFERBOOK_TOKEN for this command. For a real market set MARKET_URL, MARKET_API_KEY, ' +
        'ACTIONS=on and the three limits instead.',
    );
  }
  await context.withApi(work);
}

/** Returns the account's instances and unsettled rentals. */
export async function listInstances(api: Api): Promise<LedgerInstanceAnswer[]> {
  return (await api.listInstances()).items;
}

/** Returns the instance with that id or label. Throws a UsageError if there is none, or more than one. */
export async function findInstance(
  api: Api,
  name: string,
): Promise<LedgerInstanceAnswer & { instanceId: number }> {
  const all = await listInstances(api);
  const byId = all.filter(({ instanceId }) => String(instanceId) === name);
  const found = byId.length > 0 ? byId : all.filter(({ label }) => label === name);
  const [only, second] = found;
  if (second !== undefined) {
    throw new UsageError(
      `Several instances have the label ${name}: ${found.map(idOf).join(', ')}. Use the id of one.`,
    );
  }
  if (only === undefined || only.instanceId === null) {
    throw new UsageError(`No instance has the id or label ${name}: \`offerbook instances\` shows all.`);
  }
  return { ...only, instanceId: only.instanceId };
}

const idOf = ({ instanceId }: LedgerInstanceAnswer): string => String(instanceId);

/** Formats dollars with two to four decimals, `<$0.0001` where they would round to zero; null is unknown. */
export function dollars(usd: string | null): string {
  if (usd === null) return 'unknown';
  const value = Number(usd);
  const least = 0.0001;
  if (value !== 0 && Math.abs(value) < least / 2) return value > 0 ? `<$${least}` : `>-$${least}`;
  const size = Math.abs(value);
  return `${value < 0 ? '-' : ''}$${size.toFixed(size >= 10 ? 2 : 4)}`;
}
