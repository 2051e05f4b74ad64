import { estimateByAgreement, partialReasons } from '../../../core/completeness.ts';
import { complete, partial } from '../../../core/coverage.ts';
import type { PartOutcome, PassOptions } from './id-passes.ts';
import type { Walk } from './page-walk.ts';
import { walkByPrice } from './price-walk.ts';

/** Maximum number of walks if each finds something new. */
const maxWalks = 3;

/**
 * Reads a part of the market by price until a whole walk finds nothing new; partial if that does not happen, or if a
 * response is cut off and cannot be paged.
 */
export async function coverByPrice(
  walk: Walk,
  { afterFirstPass }: Pick<PassOptions, 'afterFirstPass'>,
): Promise<Exclude<PartOutcome, { kind: 'unpageable' }>> {
  const { sightings } = walk;
  let unseen = 0;
  for (let made = 1; made <= maxWalks; made += 1) {
    const pass = sightings.beginPass('full');
    const end = await walkByPrice(walk);
    if (end.kind !== 'whole') return { kind: 'cut', reason: end.reason };
    unseen = pass.unseen;
    if (made > 1 && unseen === 0) {
      const estimate = estimateByAgreement(pass.rows, sightings.size());
      return { kind: 'judged', coverage: complete('proved'), estimate };
    }
    const by = made === 1 ? await afterFirstPass() : null;
    if (by !== null) return { kind: 'apart', by };
  }
  const reason = `${partialReasons.stillNew} ${unseen} new offers on walk ${maxWalks}`;
  return { kind: 'judged', coverage: partial('proved', reason), estimate: null };
}
