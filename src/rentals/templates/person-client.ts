import { MarketError } from '../../core/errors.ts';
import { type CommandContext, exitCodes } from '../../core/terminal/command-context.ts';
import type { AccountRules, MarketAccount } from '../../market/account.ts';

/** The market's account as commands ask it without the API. */
export interface PersonalMarket {
  /** What the account of the configured market takes. Throws a UserError where it has none. */
  accountRules: () => Promise<AccountRules>;
  /** Opens an account whose calls go before any crawl, for the time of `work`. Throws a UserError where there is none. */
  withPersonAccount: (work: (account: MarketAccount) => Promise<void>) => Promise<void>;
}

/** Asks the market as a person; what it refuses is one line and the exit code 1. */
export async function requestAsPerson(
  context: CommandContext & PersonalMarket,
  work: (account: MarketAccount) => Promise<void>,
): Promise<void> {
  try {
    await context.withPersonAccount(work);
  } catch (error) {
    if (!(error instanceof MarketError)) throw error;
    context.note(error.message);
    context.exitWith(exitCodes.failed);
  }
}
