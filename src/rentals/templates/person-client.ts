import { MarketError } from '../../core/errors.ts';
import { type CommandContext, exitCodes } from '../../core/terminal/command-context.ts';
import type { MarketClient } from '../../market/vast/client.ts';
import { openMarket } from '../../service/open-market.ts';

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
    context.note(error.message);
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
