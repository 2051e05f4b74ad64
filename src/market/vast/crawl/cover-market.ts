import { partialReasons } from '../../../core/completeness.ts';
import { partial } from '../../../core/coverage.ts';
import type { BookAsk, CoveredBook } from '../../crawl-book.ts';
import { createGatheredOffers, type GatheredOffers } from '../../gathered-offers.ts';
import type { MarketClient } from '../client.ts';
import { coverById, type PartOutcome } from './id-passes.ts';
import { joinModels, joinTiers, type NamedPart, type PartCoverage } from './joined-parts.ts';
import { listsAreIgnored } from './list-filters.ts';
import type { Walk } from './page-walk.ts';
import { coverByPrice } from './price-passes.ts';
import { createSightings } from './sightings.ts';

export interface CoverOptions extends BookAsk {
  client: Pick<MarketClient, 'searchOffers'>;
  /** Rows requested per search. */
  pageLimit: number;
  /** The market's verification tiers. */
  tiers: readonly string[];
}

/** A part of the market that is walked separately. */
interface Part {
  /** null: everything requested. */
  name: string | null;
  /** null: all models. */
  models: readonly string[] | null;
  /** All models but these, when walking model by model; with `models` null. */
  except: readonly string[] | null;
  /** null: all tiers. */
  tier: string | null;
}

/** State shared by the parts of one crawl. */
interface Crawl {
  options: CoverOptions;
  gathered: GatheredOffers;
  /** null: not known yet. */
  tiersApart: boolean | null;
}

/**
 * Reads everything requested and returns how much of it was proved complete. Walks by id, else by price, else model by
 * model with one part for all other models; and tier by tier if the market ignores lists of tiers. Slices are empty
 * unless it walked model by model. Source: docs/meaning.md#crawling.
 */
export async function coverMarket(options: CoverOptions): Promise<CoveredBook> {
  const { certificate } = options;
  certificate.paging = 'id';
  certificate.pageLimit = options.pageLimit;
  const crawl: Crawl = {
    options,
    gathered: createGatheredOffers(certificate, options.sink),
    tiersApart: null,
  };
  const whole = await coverPart(crawl, { name: null, models: options.gpuNames, except: null, tier: null });
  certificate.estimate = whole.estimate?.how ?? null;
  certificate.estimatedMissingShare = whole.estimate?.share ?? null;
  certificate.missingShareAtMost = whole.estimate?.atMost ?? null;
  return whole;
}

async function coverPart(crawl: Crawl, part: Part): Promise<PartCoverage> {
  if (crawl.tiersApart === true && part.tier === null) return await coverTiers(crawl, part);
  const { walk, outcome } = await walkPart(crawl, part);
  if (outcome.kind === 'apart') {
    return outcome.by === 'tiers' ? await coverTiers(crawl, part) : await coverModels(crawl, part);
  }
  if (outcome.kind === 'judged') return { ...outcome, offers: walk.sightings.size(), slices: [] };
  const canSplit = part.models === null ? part.except === null : part.models.length > 1;
  if (canSplit && !walk.isTooLate()) {
    crawl.options.log.warn({ type: crawl.options.type }, `${outcome.reason}: asking model by model instead`);
    return await coverModels(crawl, part);
  }
  const coverage = partial('proved', outcome.reason);
  return { coverage, estimate: null, offers: walk.sightings.size(), slices: [] };
}

/** Walks by id, or by price if ids cannot be paged. */
async function walkPart(
  crawl: Crawl,
  part: Part,
): Promise<{ walk: Walk; outcome: Exclude<PartOutcome, { kind: 'unpageable' }> }> {
  const { options } = crawl;
  const { walk, foreign } = beginWalk(crawl, part);
  const afterFirstPass = async () => await findIgnoredList(crawl, walk, part);
  let outcome = await coverById(walk, { random: options.random, afterFirstPass });
  if (outcome.kind === 'unpageable') {
    options.log.warn({ type: options.type }, `${outcome.reason}: paging by price instead`);
    options.certificate.paging = 'price';
    const probe = options.certificate.passes.at(-1);
    if (probe !== undefined) probe.kind = 'probe';
    walk.sightings = createSightings(options.certificate, part.name);
    outcome = await coverByPrice(walk, { afterFirstPass });
  }
  if (foreign() && outcome.kind === 'judged') {
    outcome = { ...outcome, coverage: partial('proved', partialReasons.ignoresModels) };
  }
  return { walk, outcome };
}

function beginWalk({ options, gathered }: Crawl, part: Part): { walk: Walk; foreign: () => boolean } {
  const { models, except, tier, name } = part;
  let foreign = false;
  const walk: Walk = {
    client: options.client,
    search: {
      type: options.type,
      limit: options.pageLimit,
      allocatedStorageGb: options.allocatedStorageGb,
      rentable: options.rentable,
      ...(models === null ? {} : { gpuNames: models }),
      ...(except === null || except.length === 0 ? {} : { exceptGpuNames: except }),
      ...(tier === null ? {} : { filters: { verification: { eq: tier } } }),
    },
    certificate: options.certificate,
    gathered,
    sightings: createSightings(options.certificate, name),
    // Rows of other models do not harm the book, but a part that contains them proves nothing about those models.
    onPage: ({ offers }) => {
      if (name === null) return;
      foreign ||= offers.some(
        ({ gpuName }) => (models !== null && !models.includes(gpuName)) || except?.includes(gpuName),
      );
    },
    isTooLate: options.isTooLate,
    signal: options.signal,
  };
  return { walk, foreign: () => foreign };
}

async function findIgnoredList(crawl: Crawl, walk: Walk, part: Part): Promise<'tiers' | 'models' | null> {
  const { models, tier } = part;
  if (tier === null && crawl.tiersApart === null) {
    const seen = crawl.gathered.tiers();
    // Offers without a tier cannot show which ones are missing.
    const tellsTiers = seen.size > 0 || crawl.gathered.size() === 0;
    const unseen = tellsTiers ? crawl.options.tiers.filter((name) => !seen.has(name)) : [];
    const searches = unseen.map((name) => ({ ...walk.search, filters: { verification: { eq: name } } }));
    crawl.tiersApart = await listsAreIgnored(walk, searches);
    if (crawl.tiersApart) return 'tiers';
  }
  if (models === null || models.length < 2) return null;
  const unseen = models.filter((name) => !crawl.gathered.gpuNames().includes(name));
  // A market that uses only one value of the list shows no other.
  if (unseen.length < models.length - 1) return null;
  const searches = unseen.map((name) => ({ ...walk.search, gpuNames: [name] }));
  return (await listsAreIgnored(walk, searches)) ? 'models' : null;
}

async function coverTiers(crawl: Crawl, part: Part): Promise<PartCoverage> {
  crawl.options.certificate.apart ??= 'tiers';
  const parts: NamedPart[] = [];
  for (const tier of crawl.options.tiers) {
    const name = part.name === null ? tier : `${part.name}, ${tier}`;
    parts.push({ name, ...(await coverPart(crawl, { ...part, tier, name })) });
  }
  return joinTiers(parts);
}

/** Walks one part per model, and one for unknown models unless the models were requested by name. */
async function coverModels(crawl: Crawl, part: Part): Promise<PartCoverage> {
  const { options, gathered } = crawl;
  options.certificate.apart = 'models';
  const known =
    part.models ?? [...new Set([...gathered.gpuNames(), ...(await options.knownGpuNames())])].sort();
  const wanted: (Pick<Part, 'models' | 'except'> & { gpuName: string | null })[] = known.map((gpuName) => ({
    gpuName,
    models: [gpuName],
    except: null,
  }));
  if (part.models === null) wanted.push({ gpuName: null, models: null, except: known });
  const parts: (NamedPart & { gpuName: string | null })[] = [];
  for (const { gpuName, ...which } of wanted) {
    const model = gpuName ?? 'all other models';
    const name = part.tier === null ? model : `${model}, ${part.tier}`;
    parts.push({ name, gpuName, ...(await coverPart(crawl, { ...part, ...which, name })) });
  }
  return joinModels(parts);
}
