import { Decimal } from 'decimal.js';
import { UserError } from '../../core/errors.ts';
import type { Offer } from '../../core/offer.ts';
import type { OfferExtras } from '../../market/account.ts';
import type { Template } from '../../market/template.ts';
import { readBlocklist } from '../../prices/rankings/blocklist.sql.ts';
import type { NewestJudgement } from '../../prices/verdicts/judge-newest.ts';
import { presentListed } from '../../prices/verdicts/judged-offer-schema.ts';
import { storageUsdPerHour } from '../account-count.ts';
import type { Actor } from '../actor.ts';
import { endProblem, noEndLimits } from '../instances/end-limits.ts';
import { present } from '../market-capability.ts';
import { basePrice, bidOfRequest, findLowBidProblem, typeOfRequest } from './bids.ts';
import { fetchOffer, judgeQuoted, profileOf } from './find-offers.ts';
import { findWarnings, type QuoteWarning } from './quote-warnings.ts';
import { instanceRequestOf, type RentRequest } from './rent-request.ts';
import { type ResolvedInstance, resolveCreate } from './resolve-create.ts';
import { segmentP90 } from './segment-price.sql.ts';

/** The current cost of an offer, and what would be sent for it. Dollars as decimal text; null: unknown. */
export interface Quote {
  offer: Offer;
  extras: OfferExtras;
  template: Template | null;
  at: Date;
  /** The whole machine with disk and a new volume: what caps and guards compare. null: not all is known. */
  usdPerHour: Decimal | null;
  baseUsdPerHour: Decimal;
  storageUsdPerHour: Decimal | null;
  /** 0 without a new volume. */
  volumeUsdPerHour: Decimal | null;
  bidUsdPerHour: Decimal | null;
  minBidUsdPerHour: number | null;
  /** For the request's usage profile, with traffic; null: a component is unknown. */
  allInUsd: Decimal | null;
  allInUsdPerHour: Decimal | null;
  /** How unusual its price is. */
  judgement: NewestJudgement;
  warnings: QuoteWarning[];
  /** Why nothing can be sent, one sentence each. */
  problems: string[];
  resolved: ResolvedInstance;
}

/** A quote without the offer's record and the environment's values, for ledgers and responses. */
export interface PublicQuote extends Record<string, unknown> {
  at: string;
  offerId: number;
}

/** Requests an offer from the market again and prices it; null: it is gone. */
export async function quoteOffer(
  actor: Actor,
  request: RentRequest,
  offerId: number,
  signal?: AbortSignal,
): Promise<Quote | null> {
  const type = typeOfRequest(request);
  const offer = await fetchOffer(actor, { offerId, type, diskGb: request.diskGb }, signal);
  if (offer === null) return null;
  const template = await findTemplate(actor, request, signal);
  const extras = actor.account.rules.readOfferExtras(offer);
  const base = basePrice(request, offer);
  const storage = storageUsdPerHour(offer.storageUsdPerGbMonth, request.diskGb);
  const volume = await priceVolume(actor, request, extras, signal);
  const { runningHours, stoppedHours, downGb, upGb } = profileOf(request);
  const disks = storage === null || volume === null ? null : storage.plus(volume);
  const traffic = priceTraffic(offer, downGb, upGb);
  const allInUsd =
    disks === null || traffic === null
      ? null
      : base
          .times(runningHours)
          .plus(disks.times(runningHours + stoppedHours))
          .plus(traffic);
  const { block } = await readBlocklist(actor.sql, actor.market.id);
  const ends = endProblem(request, noEndLimits, actor.now());
  const lowBid = findLowBidProblem(request, offer);
  return {
    offer,
    extras,
    template,
    at: actor.now(),
    usdPerHour: disks === null ? null : base.plus(disks),
    baseUsdPerHour: base,
    storageUsdPerHour: storage,
    volumeUsdPerHour: volume,
    bidUsdPerHour: bidOfRequest(request),
    minBidUsdPerHour: offer.minBidUsdPerHour,
    allInUsd,
    allInUsdPerHour: allInUsd?.div(runningHours) ?? null,
    judgement: await judgeQuoted(actor, offer),
    warnings: findWarnings({
      offer,
      extras,
      request,
      now: actor.now(),
      runningHours,
      p90UsdPerGpuHour: await segmentP90(actor, offer),
      isBlocked:
        block.machineIds.has(offer.machineId) || (offer.hostId !== null && block.hostIds.has(offer.hostId)),
    }),
    problems: [
      ...actor.account.rules.findCreateProblems(offerId, instanceRequestOf(request)),
      ...(lowBid === null ? [] : [lowBid]),
      ...(ends === null ? [] : [ends.message]),
    ],
    resolved: resolveCreate(instanceRequestOf(request), template),
  };
}

async function findTemplate(
  { account }: Actor,
  { templateHashId }: RentRequest,
  signal: AbortSignal | undefined,
): Promise<Template | null> {
  if (templateHashId === undefined) return null;
  const calls = present(account.templates, 'use templates');
  const { templates } = await calls.searchTemplates({ hashId: templateHashId }, { signal });
  const found = templates.find(({ hashId }) => hashId === templateHashId);
  if (found !== undefined) return found;
  throw new UserError(
    `No template has the hash ${templateHashId}: it changes with every edit. \`offerbook templates search\` shows the current ones.`,
  );
}

function priceTraffic(offer: Offer, downGb: number, upGb: number): Decimal | null {
  const parts: [number, number | null][] = [
    [downGb, offer.inetDownUsdPerGb],
    [upGb, offer.inetUpUsdPerGb],
  ];
  let usd = new Decimal(0);
  for (const [gb, usdPerGb] of parts) {
    if (gb === 0) continue;
    if (usdPerGb === null) return null;
    usd = usd.plus(new Decimal(usdPerGb).times(gb));
  }
  return usd;
}

/** $/hour of a new volume; an existing one is already paid for. null: its price is unknown. */
async function priceVolume(
  { account }: Actor,
  { volume }: RentRequest,
  extras: OfferExtras,
  signal: AbortSignal | undefined,
): Promise<Decimal | null> {
  if (volume === undefined || volume.kind === 'existing') return new Decimal(0);
  if (extras.volumeOfferId === volume.volumeOfferId && extras.volumeUsdPerGbHour !== null) {
    return new Decimal(extras.volumeUsdPerGbHour).times(volume.sizeGb);
  }
  const { volumes } = account;
  if (volumes === null) return null;
  const { offers } = await volumes.searchVolumeOffers({ volumeOfferId: volume.volumeOfferId }, { signal });
  const found = offers.find(({ volumeOfferId }) => volumeOfferId === volume.volumeOfferId);
  return storageUsdPerHour(found?.storageUsdPerGbMonth ?? null, volume.sizeGb);
}

const text = (value: Decimal | null): string | null => value?.toString() ?? null;

/** Returns the quote for ledgers and responses: without environment values and script. */
export function publicQuote(quote: Quote): PublicQuote {
  const { offer, resolved, judgement } = quote;
  const { raw: _, ...fields } = offer;
  const { env, onstart, args, ...shown } = resolved;
  return {
    at: quote.at.toISOString(),
    offerId: offer.offerId,
    offer: fields,
    endsAt: quote.extras.endsAt?.toISOString() ?? null,
    isVm: quote.extras.isVm,
    usdPerHour: text(quote.usdPerHour),
    baseUsdPerHour: text(quote.baseUsdPerHour),
    storageUsdPerHour: text(quote.storageUsdPerHour),
    stoppedUsdPerDay: text(stoppedUsdPerDay(quote)),
    volumeUsdPerHour: text(quote.volumeUsdPerHour),
    bidUsdPerHour: text(quote.bidUsdPerHour),
    minBidUsdPerHour: quote.minBidUsdPerHour,
    allInUsd: text(quote.allInUsd),
    allInUsdPerHour: text(quote.allInUsdPerHour),
    verdict: judgement.newest?.verdict ?? null,
    listed: presentListed(judgement.newest),
    lowestVerified: presentListed(judgement.lowestVerified),
    warnings: quote.warnings,
    problems: quote.problems,
    instance: {
      ...shown,
      env: Object.keys(env),
      onstartCharacters: onstart?.length ?? null,
      argsCharacters: args?.length ?? null,
    },
  };
}

/** Cost of the disk per day while the instance is stopped. */
const stoppedUsdPerDay = ({ storageUsdPerHour: disk, volumeUsdPerHour: volume }: Quote): Decimal | null =>
  disk === null || volume === null ? null : disk.plus(volume).times(24);
