import type { App } from '../../core/app.ts';
import { countOf } from '../../core/figures.ts';
import { Switch } from '../../parts/choice.tsx';
import { Term } from '../../parts/term.tsx';
import {
  asksTrust,
  canBeReliable,
  hidingWords,
  isReliable,
  reliableChanges,
  type StatedTrust,
} from './reliable-query.ts';

interface Props {
  app: App;
  trust: StatedTrust;
  /** Matching offers that the switch hides; null: not known yet. */
  hidden: number | null;
}

/** Shows only reliable offers, and says how many others match; empty where the market states nothing to tell by. */
export function ReliableSwitch({ app, trust, hidden }: Props) {
  const { query } = app.address.place.value;
  if (!canBeReliable(trust)) return null;
  const isOn = isReliable(query);
  const turn = (on: boolean) => app.address.change(reliableChanges(query, on));
  return (
    <>
      <Switch label="Reliable" name="reliable" on={isOn} change={turn} />
      <p class="hides soft" data-hidden={isOn ? hidden : null}>
        {isOn ? (
          hidden !== null &&
          (hidden === 0 ? (
            'No matching offer is hidden.'
          ) : (
            <>
              {countOf(hidden, 'offer')} hidden: {hidingWords(trust)}.{' '}
              <button type="button" class="link" onClick={() => turn(false)}>
                Show {hidden === 1 ? 'it' : 'them'}
              </button>
            </>
          ))
        ) : (
          <>
            {asksTrust(query) ? 'Your filters decide which offers are shown' : 'All offers are shown'}
            {trust.verification !== 'none' && (
              <>
                , those of <Term word="deverified" /> machines last
              </>
            )}
            .
          </>
        )}
      </p>
    </>
  );
}
