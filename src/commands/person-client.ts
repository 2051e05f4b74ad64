import { type ActionSettings, areActionsOn, GuardRefusal, requireActions } from '../act/actions-switch.ts';
import type { Config } from '../config.ts';
import { MarketError, UserError } from '../domain/errors.ts';
import type { MarketClient } from '../market/client.ts';
import { openMarket } from '../market-access.ts';
import { type CommandContext, exitCodes } from './context.ts';

/**
 * Changes the account with the acting key where actions are on; elsewhere the command ends with 4 and nothing
 * is opened or sent. `isOn` asks the switch again.
 */
export async function actAsPerson(
  context: CommandContext,
  work: (client: MarketClient, isOn: () => boolean) => Promise<void>,
): Promise<void> {
  const config: Config & ActionSettings = context.config();
  const isOn = (): boolean => areActionsOn(config);
  if (config.market === null) {
    throw new UserError(
      'The account of the built-in simulator ends with each command, and all that is made in it. Keep one with ' +
        '`offerbook simulate --api-key KEY --state FILE` and set MARKET_URL, MARKET_API_KEY and ACTIONS=on.',
    );
  }
  try {
    // Before anything is opened; work asks again.
    requireActions(isOn());
    await askAsPerson(context, (client) => work(client, isOn));
  } catch (error) {
    if (!(error instanceof GuardRefusal)) throw error;
    context.note(error.message);
    context.exitWith(exitCodes.refused);
  }
}

/** Asks the market as a person, before any crawl; what it refuses is one line and the exit code 1. */
export async function askAsPerson(
  context: CommandContext,
  work: (client: MarketClient) => Promise<void>,
): Promise<void> {
  try {
    if (context.config().market === null) await withSimulator(context, work);
    else await context.withRuntime(async ({ market }) => await work((await market()).personClient));
  } catch (error) {
    if (!(error instanceof MarketError)) throw error;
    const doubt =
      error.outcome === 'unknown' ? ' It may have happened all the same: look before you try again.' : '';
    context.note(`${error.message}${doubt}`);
    context.exitWith(exitCodes.failed);
  }
}

/** The built-in simulator has no budget to share, and so needs no database. */
async function withSimulator(
  context: CommandContext,
  work: (client: MarketClient) => Promise<void>,
): Promise<void> {
  const market = await openMarket(context.config(), context.log('command'));
  try {
    await work(market.personClient);
  } finally {
    await market.close();
  }
}
