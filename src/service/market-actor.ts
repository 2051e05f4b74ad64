import { uuidv7 } from 'uuidv7';
import { createPriceCache } from '../prices/newest/newest-offers-cache.ts';
import { createOutlierTests } from '../prices/verdicts/segment-medians.ts';
import { areActionsOn } from '../rentals/actions-switch.ts';
import type { Actor } from '../rentals/actor.ts';
import { present } from '../rentals/market-capability.ts';
import { findBlockingBudget } from '../spend/budgets/budget-states.ts';
import { findWatchChoice } from '../watches/watch-books.ts';
import type { Runtime } from './runtime.ts';

type ActRuntime = Pick<Runtime, 'config' | 'sql' | 'log' | 'now' | 'market' | 'crawledMarket' | 'notify'>;

/** Binds a sealed request to its owner, so that no channel's secret can pass for one. */
const sealedFor = 'rental';

/** Returns what acts on the default market's account, created once. Throws a UserError for a recorded market. */
export function createActorOf(runtime: ActRuntime): () => Promise<Actor> {
  const { config, sql, log, now } = runtime;
  const priceCache = { ...createPriceCache(), outlierTests: createOutlierTests(sql) };
  return async () => {
    const market = await runtime.crawledMarket();
    const { personMarket } = await runtime.market();
    const account = present(personMarket.account, 'rent or manage instances');
    const { secrets } = await runtime.notify();
    const { limits, agentLimits, settleMinutes } = config;
    return {
      sql,
      account,
      market,
      log,
      now,
      newId: uuidv7,
      priceCache,
      findWatchChoice,
      findBlockingBudget,
      limits: { ...limits, actions: areActionsOn(config), settleMinutes },
      agentLimits,
      sealer: {
        seal: (text) => secrets.seal(text, sealedFor),
        open: (sealed) => secrets.open(sealed, sealedFor),
      },
    };
  };
}
