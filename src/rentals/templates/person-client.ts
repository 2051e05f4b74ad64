import { MarketError } from '../../core/errors.ts';
import { type CommandContext, exitCodes } from '../../core/terminal/command-context.ts';
import type { MarketClient } from '../../market/vast/client.ts';
import type { Dialect } from '../../market/vast/dialect.ts';

/** The market as commands ask it without the API. */
export interface PersonalMarket {
  dialect: () => Promise<Dialect>;
  /** Opens a client that goes before any crawl, for the time of `work`. */
  withPersonClient: (work: (client: MarketClient) => Promise<void>) => Promise<void>;
}

/** Asks the market as a person; what it refuses is one line and the exit code 1. */
export async function requestAsPerson(
  context: CommandContext & PersonalMarket,
  work: (client: MarketClient) => Promise<void>,
): Promise<void> {
  try {
    await context.withPersonClient(work);
  } catch (error) {
    if (!(error instanceof MarketError)) throw error;
    context.note(error.message);
    context.exitWith(exitCodes.failed);
  }
}
