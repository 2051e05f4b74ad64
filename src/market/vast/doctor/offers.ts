import type { Offer } from '../../../core/offer.ts';
import { gpuNamesFinding } from '../../gpu-names-finding.ts';
import type { OfferQuery } from '../offer-query.ts';
import type { OfferPage } from '../offers.ts';
import { type Examination, tryOut } from './finding.ts';

/** Unlike any default, to show whether a market ignores the parameter. */
const oddStorageGb = 37;

/** Checks pages of the offer search: row limit, ids, order, storage, pricing types, tiers, datacenters. */
export async function examineOffers(exam: Examination): Promise<void> {
  const { dialect } = exam;
  const whole = { type: 'on-demand', limit: dialect.search.pageLimit, rentable: true, order: 'id' } as const;
  const first = await search(exam, 'the offer search', { ...whole, allocatedStorageGb: oddStorageGb });
  if (first === null) return;
  const afterId = first.ids.at(-1);
  const second =
    afterId === undefined
      ? null
      : await search(exam, 'the second page', { ...whole, allocatedStorageGb: oddStorageGb, afterId });
  noteCap(exam, first, second);
  noteIds(exam, first, second, afterId);
  noteStorage(exam, first.offers);
  exam.note(
    gpuNamesFinding([first, second].flatMap((page) => (page?.offers ?? []).map((offer) => offer.gpuName))),
  );
  await examineTiers(exam, [...first.offers, ...(second?.offers ?? [])]);
  await examineTypes(exam);
  await examineDatacenters(exam);
}

const small = { type: 'on-demand', limit: 8, rentable: true, order: 'id', allocatedStorageGb: 8 } as const;

async function search(exam: Examination, what: string, query: OfferQuery): Promise<OfferPage | null> {
  const { client, signal, seen } = exam;
  const page = await tryOut(exam, 'offers', what, () => client.searchOffers(query, { signal }));
  seen.throttles += page?.throttles ?? 0;
  return page;
}

function noteCap({ note, dialect }: Examination, first: OfferPage, second: OfferPage | null): void {
  const { rows, rejected } = first;
  const asked = dialect.search.pageLimit;
  const hasMore = second !== null && second.rows > 0;
  const measured = { rows, asked, rejected: rejected.length, rowCap: hasMore && rows < asked ? rows : null };
  const subject = 'offers';
  if (rows === 0) {
    note({ subject, status: 'warning', message: 'the offer search answered without any offer', measured });
  } else if (rejected.length * 20 > rows) {
    const message = `${rejected.length} of ${rows} offers cannot be read (${rejected[0]?.reason})`;
    note({ subject, status: 'warning', message, measured });
  } else if (hasMore && rows < asked) {
    const message = `the market returns ${rows} offers per page, although ${asked} were requested (search.pageLimit)`;
    note({ subject, status: 'ok', message, measured });
  } else if (hasMore) {
    note({ subject, status: 'ok', message: `a page holds at least the ${asked} offers requested`, measured });
  } else {
    note({ subject, status: 'ok', message: `one page holds the whole book of ${rows} offers`, measured });
  }
}

function noteIds(
  { note }: Examination,
  first: OfferPage,
  second: OfferPage | null,
  afterId: number | undefined,
): void {
  const subject = 'paging';
  const ascends = (ids: readonly number[]): boolean =>
    ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? id));
  if (first.ids.length < 2) {
    note({ subject, status: 'unknown', message: 'too few offers to check paging by id' });
  } else if (!ascends(first.ids)) {
    const message = 'the market does not sort by id: crawls page by price, which takes two passes';
    note({ subject, status: 'warning', message, measured: { idsPage: false } });
  } else if (second?.ids.some((id) => id <= (afterId ?? id))) {
    const message = 'the market ignores the filter on ids: crawls page by price, which takes two passes';
    note({ subject, status: 'warning', message, measured: { idsPage: false } });
  } else if (second === null) {
    note({ subject, status: 'unknown', message: 'the second page did not answer' });
  } else {
    const message = 'paging by id works: ids ascend, and the next page starts above the last';
    note({ subject, status: 'ok', message, measured: { idsPage: true } });
  }
}

/**
 * Checks `dph_total = dph_base + storage_cost * allocated_storage / 720` on offers.
 * Source: docs/marketplace.md#price-identities.
 */
function noteStorage({ note, dialect }: Examination, offers: readonly Offer[]): void {
  const name = dialect.search.storageParameter;
  const priced = offers.filter(({ storageUsdPerGbMonth }) => (storageUsdPerGbMonth ?? 0) > 0);
  const held = priced.filter((offer) => {
    const expected = offer.baseUsdPerHour + ((offer.storageUsdPerGbMonth ?? 0) * oddStorageGb) / 720;
    return Math.abs(expected - offer.listedUsdPerHour) < 1e-4 + expected * 1e-6;
  });
  const measured = { offers: priced.length, withStorage: held.length };
  const subject = 'storage';
  if (priced.length === 0) {
    note({ subject, status: 'unknown', message: 'no offer states the price of its storage', measured });
  } else if (held.length * 10 >= priced.length * 9) {
    note({ subject, status: 'ok', message: `prices include the storage of ${name}`, measured });
  } else {
    const message = `prices do not follow ${name}: is search.storageParameter this market's name for it?`;
    note({ subject, status: 'warning', message, measured });
  }
}

async function examineTiers(exam: Examination, offers: readonly Offer[]): Promise<void> {
  const tiers: Record<string, number> = {};
  const { verificationTiers } = exam.dialect.search;
  for (const tier of verificationTiers) {
    const filters = { verification: { eq: tier } };
    tiers[tier] = offers.filter(({ verification }) => verification === tier).length;
    if (tiers[tier] > 0) continue;
    const page = await search(exam, `the tier ${tier}`, { ...small, filters });
    if (page === null) return;
    tiers[tier] = page.rows;
  }
  const missing = verificationTiers.filter((tier) => tiers[tier] === 0);
  const message =
    missing.length === 0
      ? `every verification tier appears: ${verificationTiers.join(', ')}`
      : `no offer of the tier ${missing.join(', ')} appears: a book without them is not the whole market`;
  const status = missing.length === 0 ? 'ok' : 'warning';
  exam.note({ subject: 'tiers', status, message, measured: { tiers, missing } });
}

async function examineTypes(exam: Examination): Promise<void> {
  for (const type of ['bid', 'reserved'] as const) {
    const page = await search(exam, `the pricing type ${type}`, { ...small, type });
    if (page === null) continue;
    const word = exam.dialect.search.typeNames[type];
    const status = page.rows > 0 || type === 'reserved' ? 'ok' : 'warning';
    const message = `the pricing type ${type} ("${word}") answered with ${page.rows === 0 ? 'no offer' : 'offers'}`;
    exam.note({ subject: 'types', status, message, measured: { type, rows: page.rows } });
  }
}

async function examineDatacenters(exam: Examination): Promise<void> {
  const page = await search(exam, 'datacenters alone', { ...small, limit: 64, datacenter: true });
  if (page === null) return;
  const others = page.offers.filter(({ datacenter }) => datacenter === false).length;
  const name = exam.dialect.search.datacenterParameter;
  const message =
    others === 0
      ? `${name} restricts to datacenters`
      : `${name} does not restrict to datacenters: is search.datacenterParameter this market's name for it?`;
  const measured = { rows: page.rows, others };
  exam.note({ subject: 'datacenter', status: others === 0 ? 'ok' : 'warning', message, measured });
}
