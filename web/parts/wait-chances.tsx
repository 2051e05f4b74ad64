import type { ComponentChildren } from 'preact';
import type { MarketWait } from '../core/api.ts';
import { countOf, formatShare } from '../core/figures.ts';
import { hoursLabel, waitLength, waitNeeds } from '../core/wait-words.ts';
import { Explain } from './explain.tsx';
import { Scroll } from './scroll.tsx';

const bidHours = [1, 6, 24] as const;

const share = (value: number | null) => (value === null ? '–' : formatShare(value));

interface ChancesProps {
  waits: MarketWait;
  /** When it can be told, if that is not said yet. */
  needed: string | null;
  /** What is known instead, as long as the history is too short. */
  meanwhile: ComponentChildren;
  withBids: boolean;
  explain: string;
}

/** The chances of cheaper offers in past periods, and how long bids lasted; why they are unknown. */
export function Chances({ waits, needed, meanwhile, withBids, explain }: ChancesProps) {
  const { overall, similar, bidSurvival, hours } = waits;
  const needs = waitNeeds(waits);
  const cases = (
    <span data-field="cases" data-value={overall.cases}>
      <Explain query={explain}>{overall.cases}</Explain>
    </span>
  );
  return (
    <>
      {needs !== null ? (
        <>
          <p class="caption">
            {needed} {needs.cases} {cases}. {needs.reason}
          </p>
          {meanwhile}
        </>
      ) : (
        <>
          <Scroll label="Chances of cheaper offers">
            <table>
              <thead>
                <tr>
                  <th scope="col">Cheaper by</th>
                  <th scope="col" class="number">
                    Chance
                  </th>
                  <th scope="col" class="number">
                    Usual wait
                  </th>
                  <th scope="col" class="number" title="At times when the lowest price was similar to now">
                    At similar prices
                  </th>
                </tr>
              </thead>
              <tbody>
                {overall.drops.map(({ percent, chance, medianHours }, place) => (
                  <tr key={percent} data-drop={percent}>
                    <th scope="row">{percent}%</th>
                    <td class="number" data-value={chance} data-field={`chance${percent}`}>
                      <Explain query={explain}>{share(chance)}</Explain>
                    </td>
                    <td class="number">
                      <Explain query={explain}>
                        {medianHours === null ? '–' : waitLength(medianHours)}
                      </Explain>
                    </td>
                    <td class="number">
                      <Explain query={explain}>{share(similar.drops[place]?.chance ?? null)}</Explain>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
          <p class="caption">
            From {cases} past periods of {hoursLabel(hours)}, and {similar.cases} that began at prices similar
            to now (at least {overall.neededCases} and {similar.neededCases} are needed). This is what
            happened in the past year, not a guarantee.
          </p>
        </>
      )}
      {withBids && (
        <Scroll label="Bids that were not outbid">
          <table>
            <thead>
              <tr>
                <th scope="col">Bids not outbid, above minimum by</th>
                {bidHours.map((lasted) => (
                  <th key={lasted} scope="col" class="number">
                    {hoursLabel(lasted)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {[0, 10, 25].map((raisePercent) => (
                <tr key={raisePercent}>
                  <th scope="row">{raisePercent}%</th>
                  {bidSurvival.bids
                    .filter((bid) => bid.raisePercent === raisePercent)
                    .map((bid) => (
                      <td
                        key={bid.hours}
                        class="number"
                        title={`${countOf(bid.cases, 'past bid')}; ${countOf(bid.unknown, 'more bid')} on machines that were delisted first`}
                        data-bid={`${bid.hours} ${raisePercent}`}
                        data-value={bid.share}
                      >
                        {share(bid.share)}
                      </td>
                    ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </>
  );
}
