import { distanceOf } from '../core/did-you-mean.ts';
import { fieldsProblem } from '../core/http/body-errors.ts';
import { ApiProblem } from '../core/http/problem.ts';
import type { BooksDeps } from './books-deps.ts';
import { findMarket, type Market } from './markets.sql.ts';
import { listedKinds, marketNames } from './newest-books.sql.ts';

/** Returns the market that a request names, or the default one. Throws a 400 that lists the known markets. */
export async function chooseMarket(deps: BooksDeps, name: string | undefined): Promise<Market> {
  if (name === undefined) return await deps.defaultMarket();
  const market = await findMarket(deps.sql, name);
  if (market !== null) return market;
  const known = await marketNames(deps.sql);
  const hint = known.length === 0 ? 'There is no market yet.' : `Known: ${known.join(', ')}.`;
  throw fieldsProblem([{ name: 'market', detail: `Unknown market ${JSON.stringify(name)}. ${hint}` }]);
}

/**
 * Returns the markets that a request names, in order, or the default one. Throws a 400 that lists the known markets.
 */
export async function chooseMarkets(
  deps: BooksDeps,
  names: string | readonly string[] | undefined,
): Promise<[Market, ...Market[]]> {
  const [first, ...others] = new Set(names === undefined ? [] : [names].flat());
  const chosen = others.map((name) => chooseMarket(deps, name));
  return await Promise.all([chooseMarket(deps, first), ...chosen]);
}

/**
 * Throws a 400 with similar names for models that no market ever listed: without it a typo would look like an empty
 * market. While nothing is listed every name passes.
 */
export async function requireKnownModels(
  { sql }: Pick<BooksDeps, 'sql'>,
  markets: readonly Pick<Market, 'id'>[],
  gpuNames: readonly string[],
  field = 'gpuName',
): Promise<void> {
  if (gpuNames.length === 0) return;
  const listedIn = async (among: readonly string[] | null): Promise<string[]> => {
    const each = markets.map(({ id }) => listedKinds(sql, id, among));
    return (await Promise.all(each)).flatMap((kinds) => kinds.gpuNames);
  };
  const listed = await listedIn(gpuNames);
  const unknown = gpuNames.filter((each) => !listed.includes(each));
  if (unknown.length === 0) return;
  const known = [...new Set(await listedIn(null))].sort();
  if (known.length === 0) return;
  const errors = unknown.map((each) => {
    return { name: field, detail: unknownModel(each, known) };
  });
  const detail = errors.map((error) => error.detail).join(' ');
  throw new ApiProblem(400, 'unknown-model', detail, { errors });
}

/** Returns `Unknown GPU model "4090". Did you mean "RTX 4090"?`. */
export function unknownModel(name: string, known: readonly string[]): string {
  const close = closeTo(name, known).map((similar) => JSON.stringify(similar));
  const last = close.pop();
  const hint =
    last === undefined
      ? '`offerbook models` and `gpuNames` of /api/status list all.'
      : `Did you mean ${close.length === 0 ? last : `${close.join(', ')} or ${last}`}?`;
  return `Unknown GPU model ${JSON.stringify(name)}. ${hint}`;
}

/** Returns a model's name in lower case without spaces and punctuation, to compare spellings. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function closeTo(name: string, known: readonly string[]): string[] {
  const wanted = plainName(name);
  if (wanted === '') return [];
  const same = known.filter((each) => plainName(each) === wanted);
  if (same.length > 0) return same;
  const near = known.filter((each) => {
    const other = plainName(each);
    return other.includes(wanted) || wanted.includes(other) || distanceOf(other, wanted) <= 2;
  });
  return near.sort((a, b) => distanceOf(plainName(a), wanted) - distanceOf(plainName(b), wanted)).slice(0, 3);
}
