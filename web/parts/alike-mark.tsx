import type { Alike } from '../core/alike-offers.ts';
import { Term } from './term.tsx';

/** Which of several offers of its machine that look the same an offer is, `1 of 2`; empty if no other does. */
export const AlikeMark = ({ alike }: { alike: Alike | undefined }) =>
  alike === undefined ? null : (
    <small>
      {' '}
      <Term word="offers of one machine">
        {alike.place} of {alike.of}
      </Term>
    </small>
  );
