import { getListing, listOffers } from '../../client/operations.js';
import type { Listing } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { formatUsd } from '../core/figures.ts';
import { everyMarket } from '../core/market-choice.ts';
import { pathTo } from '../core/path-to.ts';
import { useAnswer } from '../core/use-answer.ts';
import type { Command } from './command.ts';
import { inOrder, numberedIn } from './numbered.ts';

/** Returns the listings of the machine, or the listing, whose number is searched for, and whether they are being read. */
export function useNumbered(app: App, text: string): { commands: Command[]; isSearching: boolean } {
  const named = numberedIn(text);
  const status = app.status.state.value.data;
  const offers = useAnswer(
    app,
    named?.kind !== 'machine' || status === null
      ? null
      : pathTo(listOffers, {
          machineId: [named.number],
          type: status.types,
          market: everyMarket(app.markets.value ?? []),
          limit: 20,
        }),
  );
  const listing = useAnswer(app, named?.kind !== 'listing' ? null : pathTo(getListing, { id: named.number }));
  const answer = named?.kind === 'listing' ? listing : offers;
  if (named === null || answer.path !== answer.dataPath || answer.problem !== null)
    return { commands: [], isSearching: named !== null && answer.problem === null };
  const found =
    named.kind === 'machine'
      ? inOrder(offers.data?.items ?? []).map((offer) => ({ ...offer, id: offer.listingId }))
      : [listing.data].filter((one) => one !== null);
  return { commands: found.map((one) => commandOf(app, one, named.kind)), isSearching: false };
}

type Found = Pick<Listing, 'id' | 'gpuName' | 'numGpus' | 'type' | 'machineId' | 'market'> & {
  usdPerHour?: number | null;
  offerId?: number | null;
};

function commandOf(
  app: App,
  { id, gpuName, numGpus, type, machineId, market, usdPerHour, offerId }: Found,
  kind: 'machine' | 'listing',
): Command {
  const price = usdPerHour == null ? '' : `, ${formatUsd(usdPerHour)}/hour`;
  const where = everyMarket(app.markets.value ?? []).length > 0 ? `, ${market}` : '';
  const offer = offerId == null ? '' : `, offer ${offerId}`;
  const what = `${gpuName} × ${numGpus}, ${type}${price}${where}${offer}`;
  return {
    id: `listing ${id}`,
    kind: 'Listing',
    label:
      kind === 'machine' ? `Machine ${machineId}: ${what}` : `Listing ${id}: ${what}, machine ${machineId}`,
    run: () => {
      app.address.go(`/listings/${id}`);
      return undefined;
    },
  };
}
