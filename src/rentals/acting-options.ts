import { UsageError, UserError } from '../core/errors.ts';
import type { Api } from '../core/terminal/api.ts';
import type { CommandContext } from '../core/terminal/command-context.ts';
import type { LedgerInstanceAnswer } from './instances/ledger-answer.ts';

/**
 * Asks the API for what changes an account. The built-in simulator's account ends with the process that has it: only
 * a running server can keep one.
 */
export async function actByApi(context: CommandContext, work: (api: Api) => Promise<void>): Promise<void> {
  const { market, serverUrl } = context.config();
  if (market === null && serverUrl === null) {
    throw new UserError(
      'The account of the built-in simulator is in the process that runs it: start `offerbook start` and set ' +
        'OFFERBOOK_URL and OFFERBOOK_TOKEN, or set MARKET_URL, MARKET_API_KEY, ACTIONS=on and the limits.',
    );
  }
  await context.withApi(work);
}

/** What the account has, and rentals that are not settled. */
export async function listInstances(api: Api): Promise<LedgerInstanceAnswer[]> {
  return (await api.request<{ items: LedgerInstanceAnswer[] }>('/api/instances')).items;
}

/** The instance of that id or label. Throws a UsageError where there is none, or more than one. */
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
      `Several instances are called ${name}: ${found.map(idOf).join(', ')}. Name one by its id.`,
    );
  }
  if (only === undefined || only.instanceId === null) {
    throw new UsageError(`No instance has the id or label ${name}: \`offerbook instances\` lists all.`);
  }
  return { ...only, instanceId: only.instanceId };
}

const idOf = ({ instanceId }: LedgerInstanceAnswer): string => String(instanceId);

/** Dollars for people: at least two places, at most four; null is unknown, never nothing. */
export function dollars(usd: string | null): string {
  if (usd === null) return 'unknown';
  const value = Number(usd);
  return `$${Math.abs(value) >= 10 ? value.toFixed(2) : value.toFixed(4)}`;
}
