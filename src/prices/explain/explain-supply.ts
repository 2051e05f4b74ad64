import { type Bucket, bucketStart, wholeBuckets } from '../../core/bucket.ts';
import { countOf } from '../../core/count-of.ts';
import { ApiProblem, badField } from '../../core/http/problem.ts';
import { readFilter, readProfile, readTypes } from '../../core/http/query.ts';
import { readMomentParam } from '../../core/http/time-range.ts';
import type { PricingType } from '../../core/offer.ts';
import { createMismatch } from '../../core/offer-match.ts';
import type { Db } from '../../database/connection.ts';
import type { PricesDeps } from '../prices-deps.ts';
import { readUnionSupply } from '../trends/union-supply.sql.ts';
import { type BookRow, type BucketBook, readBookRows, readBucketBooks } from './book-rows.sql.ts';
import { readExplainedSeries } from './explain-answer.ts';
import type { AskedPrices } from './explain-params.ts';
import { physicalGpusOf } from './explain-prices.ts';
import { type Figures, leftOutWords, momentWords } from './explained-figures.ts';
import type { ExplainedFigures } from './explanation-schema.ts';

type TypedBook = BucketBook & { type: PricingType };

/** Explains the combined supply at a point of trends by its rounds, each GPU counted once whichever type lists it. */
export async function explainSupply(deps: PricesDeps, asked: AskedPrices): Promise<ExplainedFigures> {
  const types = readTypes(asked.type);
  if (types.length < 2)
    throw badField('type', 'must be given more than once: this is the supply of several types together');
  const at = readMomentParam('at', asked.at, 'UTC');
  if (at === null) throw badField('at', "is missing: give a supply point's `t`");
  const { scopeId, gpuName } = await readExplainedSeries(deps, { ...asked, type: types.slice(0, 1) });
  const bucket: Bucket = asked.bucket ?? 'book';
  const to = new Date(at.getTime() + 1);
  const filter = readFilter(asked);
  const profile = readProfile(asked);
  const [shown] = await readUnionSupply(deps.sql, {
    scopeId,
    types,
    gpuNames: gpuName === null ? [] : [gpuName],
    bucket,
    filter,
    profile,
    ...wholeBuckets(bucket, { from: at, to }),
  });
  const [point] = shown?.points ?? [];
  if (point === undefined)
    throw new ApiProblem(404, 'not-found', 'There is no round of these types at that moment.');
  // Rounds of single books are found day by day, those of a bucket within it.
  const stretch = bucket === 'book' ? '1d' : bucket;
  const range = wholeBuckets(stretch, { from: bucketStart(stretch, at), to });
  const until = bucket === 'book' ? to : range.to;
  const books = await readTypedBooks(deps.sql, { scopeId, types, gpuName }, { from: range.from, to: until });
  const found = findRounds(books, types);
  const rounds = bucket === 'book' ? found.slice(-1) : found;
  const mismatch = createMismatch(filter, profile.storageGb);
  const counted: Figures[] = [];
  for (const round of rounds) {
    const each = await Promise.all(round.map(({ id }) => readBookRows(deps.sql, id, gpuName)));
    counted.push(
      countRound(
        round,
        each.flat().filter((row) => mismatch(row) === null),
      ),
    );
  }
  const rejected = leftOut(books, new Set(rounds.flat()));
  const mean = (name: string): number =>
    counted.reduce((sum, row) => sum + Number(row[name]), 0) / Math.max(1, counted.length);
  const { machines, physicalGpus, physicalGpusIsLowerBound } = point;
  return {
    text: [
      `${countOf(rounds.length, 'round')} of one complete book of each type, ${types.join(' and ')}${bucket === 'book' ? `, up to ${momentWords(at)}` : ''}; a machine and its GPUs count once whichever type lists them. ${leftOutWords(rejected)}`,
    ],
    value: { machines, physicalGpus, physicalGpusIsLowerBound, rounds: point.rounds },
    recomputed: {
      machines: mean('machines'),
      physicalGpus: mean('physicalGpus'),
      physicalGpusIsLowerBound: counted.some((row) => row.physicalGpusIsLowerBound === true),
      rounds: rounds.length,
    },
    unit: null,
    formula: 'means over the rounds',
    taken: counted,
    rejected,
  };
}

async function readTypedBooks(
  db: Db,
  { scopeId, types, gpuName }: { scopeId: number; types: readonly PricingType[]; gpuName: string | null },
  range: { from: Date; to: Date },
): Promise<TypedBook[]> {
  const each = await Promise.all(
    types.map(async (type) =>
      (await readBucketBooks(db, { scopeId, type, gpuName }, range)).map((book) => ({ ...book, type })),
    ),
  );
  return each.flat().sort((a, b) => a.observedAt.getTime() - b.observedAt.getTime());
}

/** Returns the moments at which every type has had a complete book since the previous round: the newest of each. */
function findRounds(books: readonly TypedBook[], types: readonly PricingType[]): TypedBook[][] {
  const rounds: TypedBook[][] = [];
  let newest = new Map<PricingType, TypedBook>();
  const moments = Map.groupBy(
    books.filter(({ covers }) => covers),
    ({ observedAt }) => observedAt.getTime(),
  );
  for (const atOnce of moments.values()) {
    for (const book of atOnce) newest.set(book.type, book);
    if (newest.size < types.length) continue;
    rounds.push([...newest.values()]);
    newest = new Map();
  }
  return rounds;
}

const countRound = (round: readonly TypedBook[], rows: readonly BookRow[]): Figures => ({
  ...Object.fromEntries(round.map(({ type, observedAt }) => [type, observedAt.toISOString()])),
  offers: rows.length,
  machines: new Set(rows.map(({ machineId }) => machineId)).size,
  ...physicalGpusOf(rows),
  rejected: null,
});

const leftOut = (books: readonly TypedBook[], used: ReadonlySet<TypedBook>) =>
  books
    .filter((book) => !used.has(book))
    .map(({ type, observedAt, covers }) => ({
      type,
      observedAt: observedAt.toISOString(),
      rejected: covers ? 'in no round of this point' : 'not complete',
    }));
