/**
 * Bid change: `PUT /api/v0/instances/bid_price/{id}/`. Public. Source: docs/marketplace.md#43-create-an-instance.
 * Auth: the acting key. Rate limit: `minIntervalSeconds.changeBid`.
 * Quirks: requires a `client_id` that is always "me"; the price is for the whole machine.
 * Trust: changed only if the response says `success: true`; sent once.
 */
import type { ChangeBid } from '../../account.ts';
import { type Engines, pathOf, sendAct } from '../call.ts';
import { findBidProblem } from '../create-request.ts';
import type { Dialect } from '../dialect.ts';
import { refuse } from '../filter-rules.ts';
import { refuseNoId } from '../instances.ts';

/** Creates the bid change over `engines`. */
export function createBidChange(engines: Engines, dialect: Dialect): ChangeBid {
  const { changePath, changeClientId, priceParameter } = dialect.bid;
  return async (instanceId, usdPerHour, { signal } = {}) => {
    refuseNoId(instanceId);
    const problem = findBidProblem(usdPerHour, dialect);
    refuse(problem === null ? [] : [problem]);
    const client = changeClientId === null ? {} : { client_id: changeClientId };
    const body = { ...client, [priceParameter]: usdPerHour };
    await sendAct(engines.act, 'changeBid', 'PUT', pathOf(changePath, instanceId), body, signal);
  };
}
