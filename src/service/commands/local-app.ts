import { uuidv7 } from 'uuidv7';
import { UserError } from '../../core/errors.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import type { Credential } from '../../core/http/credential.ts';
import { pollInstances } from '../../rentals/instances/poll-instances.ts';
import { reconcileAccount } from '../../rentals/instances/reconcile-account.ts';
import { deliverAll } from '../delivery-work.ts';
import { createServiceApp } from '../http/service-app.ts';
import { createActorOf } from '../market-actor.ts';
import { createMarketSchedules } from '../market-schedules.ts';
import type { Runtime } from '../runtime.ts';

/** A command on the database itself needs no token: whoever can open the database may do everything. */
const whoeverRunsIt: Credential = { id: '', kind: 'token', role: 'admin', name: 'administrator' };

/** Returns the API within this process, for a command without a server. */
export function createLocalApp(runtime: Runtime, signal: AbortSignal): Pick<ApiApp, 'request'> {
  const work = {
    seeding: () => null,
    isDiskFull: () => false,
    crawlNow: async () => {
      throw new UserError('Only a server crawls over the API: use `offerbook crawl`.');
    },
    schedule: createMarketSchedules(runtime).view,
    deliver: async () => await deliverAll(runtime, signal),
    pollSoon: async () => await pollOnce(runtime),
  };
  return createServiceApp(runtime, work, { caller: whoeverRunsIt });
}

/**
 * Polls instances once: without a service nothing else polls, and the next command must see the change made by this
 * one.
 */
async function pollOnce(runtime: Runtime): Promise<void> {
  const { sql, log, now, askAgain } = runtime;
  const { id: marketId } = await runtime.crawledMarket();
  const { account } = await runtime.marketFor('person');
  if (account === null) return;
  await pollInstances(
    { sql, account, askAgain, marketId, log, now },
    { crawlId: uuidv7(), cause: 'command' },
  );
  await reconcileAccount(await createActorOf(runtime)());
}
