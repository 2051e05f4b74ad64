import { z } from 'zod';
import { rowProblem } from '../../../src/core/completeness.ts';
import { complete, partial } from '../../../src/core/coverage.ts';
import { MarketError, UserError } from '../../../src/core/errors.ts';
import type { Offer, RejectedOffer } from '../../../src/core/offer.ts';
import { unstatedFields } from '../../../src/core/offer-fields.ts';
import type { BookAsk, CoveredBook } from '../../../src/market/crawl-book.ts';
import { createGatheredOffers } from '../../../src/market/gathered-offers.ts';
import type { MarketKind, MarketOpening, MarketSettings } from '../../../src/market/marketplace.ts';
import type { AnswerMeaning } from '../../../src/market/wire/answer.ts';
import { systemClock } from '../../../src/market/wire/clock.ts';
import { recordTimeouts } from '../../../src/market/wire/deadlines.ts';
import { createLocalBudget } from '../../../src/market/wire/local-budget.ts';
import { createRequestEngine, type RequestEngine } from '../../../src/market/wire/request-engine.ts';

/** A market that is one file of machines on a web server: what the guide adds. */
export const fileMarket: MarketKind = {
  kind: 'file',
  label: 'A file of offers',
  types: ['on-demand'],
  currencies: ['USD'],
  filters: [],
  listsRented: false,
  needsKey: false,
  parts: [],
  url: null,
  prepare(settings) {
    if (settings.dialect !== null) {
      throw new UserError(`The market has no dialect: leave ${settings.dialect.source} out.`);
    }
    return {
      limits: { machines: [{ count: settings.searchesPerMinute, windowMs: 60_000 }] },
      rentingFeePercent: 0,
      rules: null,
      open: (access) => openFile(settings, access),
    };
  },
};

function openFile(
  { maxBodyBytes, names }: MarketSettings,
  { url, apiKey, budget, log, sleep }: MarketOpening,
) {
  const clock = { now: systemClock.now, sleep: sleep ?? systemClock.sleep };
  const engine = createRequestEngine({
    ...{ baseUrl: url, headers: {}, meaning, names, maxBodyBytes, keepAlive: true, log, clock },
    // It needs none; one that is set all the same is not shown.
    secrets: apiKey === null ? [] : [apiKey],
    ...{ random: Math.random, timeoutsOf: () => recordTimeouts },
    budget: budget === null || budget === 'free' ? createLocalBudget({}, clock) : budget,
  });
  return {
    crawlBook: (ask: BookAsk) => readBook(engine, ask),
    ...{ account: null, bills: null, diagnose: null },
    close: engine.close,
  };
}

/** A web server has no words of its own. */
const meaning: AnswerMeaning = {
  isErrorBody: () => false,
  throttle: { statuses: [429], phrases: [] },
  findNamedProblem: ({ isThrottled }) =>
    isThrottled ? { kind: 'rate_limited', message: ': too many requests', retry: 'throttled' } : null,
};

async function readBook(engine: RequestEngine, ask: BookAsk): Promise<CoveredBook> {
  const { certificate, signal } = ask;
  certificate.paging = 'whole';
  if (!ask.rentable) return { coverage: complete('declared'), slices: [] };
  const path = '/machines.json';
  const request = { endpoint: 'machines', method: 'GET', path, repeat: 'always' } as const;
  const { json, ...taken } = await ask.askAgain(() => engine.send(request, signal), signal);
  const { machines } = json;
  if (!Array.isArray(machines)) {
    const message = `GET ${path} answered without a list of machines: check the address`;
    throw new MarketError(message, { kind: 'contract', endpoint: `GET ${path}`, httpStatus: 200 });
  }
  const offers: Offer[] = [];
  const rejected: RejectedOffer[] = [];
  for (const machine of machines) {
    const read = machineSchema.safeParse(machine);
    if (read.success) offers.push(toOffer(read.data, machine));
    else rejected.push({ reason: 'machine: not readable', offerId: null });
  }
  const page = { offers, rejected, rows: machines.length, ...taken };
  await createGatheredOffers(certificate, ask.sink).add(page);
  const problem = rowProblem(machines.length, offers.length);
  return { coverage: problem === null ? complete('proved') : partial('proved', problem.reason), slices: [] };
}

const machineSchema = z.object({
  number: z.int().min(0),
  card: z.string().min(1).max(200),
  cards: z.int().min(1).max(32_767),
  dollarsPerHour: z.number().min(0).max(1e6),
  land: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullish(),
});

/** Everything that the file does not say is null: an offer never holds a guess. */
const toOffer = (
  { number, card, cards, dollarsPerHour, land }: z.infer<typeof machineSchema>,
  machine: unknown,
): Offer => ({
  ...unstatedFields,
  ...{ offerId: number, machineId: number, gpuName: card, numGpus: cards },
  ...{ type: 'on-demand', baseUsdPerHour: dollarsPerHour, listedUsdPerHour: dollarsPerHour },
  ...{ country: land ?? null, raw: JSON.stringify(machine) },
});
