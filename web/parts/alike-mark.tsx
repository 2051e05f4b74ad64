import type { Alike } from '../core/alike-offers.ts';
import { Term } from './term.tsx';

/**
 * Which of several offers of its machine with as many GPUs an offer is, `1 of 2`, and whether their prices differ, `1 of 2, other
 * price`; empty if there is no other.
 */
export const AlikeMark = ({ alike }: { alike: Alike | undefined }) =>
  alike === undefined ? null : (
    <small class={alike.differs ? 'below' : undefined}>
      {' '}
      <Term word="offers of one machine">{alikeWords(alike)}</Term>
    </small>
  );

export const alikeWords = ({ place, of, differs }: Alike): string =>
  `${place} of ${of}${differs ? ', other price' : ''}`;
