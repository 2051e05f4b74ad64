import { MarketError } from '../../core/errors.ts';
import { type CommandContext, exitCodes } from '../../core/terminal/command-context.ts';
import type { AccountRules, MarketAccount } from '../../market/account.ts';

/** Access to the market's account for commands without the API. */
export interface PersonalMarket {
  /** Returns what the configured market's account accepts. Throws a UserError if it has none. */
  accountRules: () => Promise<AccountRules>;
  /** Opens an account whose calls go before any crawl, for the time of `work`. Throws a UserError if there is none. */
  withPersonAccount: (work: (account: MarketAccount) => Promise<void>) => Promise<void>;
}

/** Runs `work` on a person's account; prints a refusal of the market as one line, with exit code 1. */
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
