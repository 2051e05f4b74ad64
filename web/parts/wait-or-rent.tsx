import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { getWaitOrRent, listLowestVerdicts } from '../../client/operations.js';
import { changedQuery } from '../core/address.ts';
import type { LowestVerdict, MarketWait } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { countOf, formatShare } from '../core/figures.ts';
import { OwnTime } from '../core/own-time.ts';
import { pathTo, valuesOf } from '../core/path-to.ts';
import { useAnswer } from '../core/use-answer.ts';
import {
  bidSentence,
  hoursLabel,
  needsSentence,
  timingSentence,
  waitHours,
  waitLength,
  waitNeeds,
  waitSentence,
} from '../core/wait-words.ts';
import { Choice } from './choice.tsx';
import { Explain, explainQuery } from './explain.tsx';
import { choiceNames, offerNames, pickParameters } from './filter-fields.ts';
import { ProblemNotice } from './notice.tsx';
import { Scroll } from './scroll.tsx';
import { Term } from './term.tsx';

interface Props {
  app: App;
  /** Selects offers by API parameters; null: the view is still loading. */
  asked: URLSearchParams | null;
  /** How far a bid is above the minimum, in percent; null: no bid. */
  raisePercent: number | null;
  /** Names the offers whose lowest price is judged: `reliable`. */
  set: string;
  /** The offer that would be rented; undefined: none. */
  offer?: ChosenOffer;
}

interface ChosenOffer {
  /** Selects the offers whose lowest price is judged, where those for the chances are fewer. */
  asked: URLSearchParams;
  /** With the disk of compared prices; null: unknown. */
  usdPerGpuHour: number | null;
}

/** Describes whether waiting has paid off, with chances when opened. Loaded after everything else. */
export function WaitOrRent({ app, asked, raisePercent, set, offer }: Props) {
  const { query } = app.address.place.value;
  const chosen = query.get('hours') ?? '24';
  const path = asked && pathTo(getWaitOrRent, { ...valuesOf(asked, choiceNames), hours: chosen });
  const { data, problem, dataPath, reload } = useAnswer(app, path, app.landed.value);
  if (data === null && problem !== null) return <ProblemNotice problem={problem} retry={reload} />;
  const waits: readonly MarketWait[] = data === null ? [] : [data, ...data.others];
  const isPlural = waits.length > 1;
  const judged = offer?.asked ?? asked;
  const timingOf = useTimings(app, judged, waits, { set, offer });
  const neededOf = useNeeded(app);
  // Of all models there is no verdict to say, only whether waiting pays off.
  const isShort = query.getAll('gpuName').length !== 1 && raisePercent === null;
  return (
    // Closed at first, also with hours in the address: open, its answer would push away what follows.
    <details
      class={`waits${isShort ? ' short' : ''}${raisePercent === null ? '' : ' bids'}`}
      data-path={dataPath}
    >
      <summary>
        <strong>Wait or rent?</strong> {data === null && 'Checking past prices…'}
        {waits.map((wait) => (
          <span key={wait.market} data-market={wait.market}>
            {isPlural && `${wait.market}: `}
            <Said wait={wait} timing={timingOf(wait)} needed={neededOf(wait)} />{' '}
            {raisePercent !== null && bidSentence(wait, raisePercent)}{' '}
          </span>
        ))}
      </summary>
      <Choice
        legend="Work must begin within"
        name="hours"
        options={waitHours.map((hours) => ({ value: `${hours}`, label: hoursLabel(hours) }))}
        chosen={chosen}
        choose={(hours) => app.address.change({ hours })}
      />
      {waits.map((wait) => {
        const { market } = wait;
        const ofMarket = asked && (isPlural ? changedQuery(asked, { market }) : asked);
        return (
          <section key={market} data-market={market}>
            {isPlural && <h3>{market}</h3>}
            <Chances
              waits={wait}
              needed={timingOf(wait) === null ? null : neededOf(wait)}
              meanwhile={<Meanwhile timing={timingOf(wait)?.timing ?? null} wait={wait} asked={judged} />}
              withBids={raisePercent !== null}
              explain={explainQuery('wait', { hours: chosen }, ofMarket ?? undefined)}
            />
          </section>
        );
      })}
    </details>
  );
}

type Timing = LowestVerdict['timing'];

/** Whether the lowest price is low now, and that in words. */
interface Judged {
  timing: NonNullable<Timing>;
  sentence: string;
}

/** Loads whether the lowest price is low now, where the past does not tell yet whether waiting pays off; for one model. */
function useTimings(
  app: App,
  asked: Props['asked'],
  waits: readonly MarketWait[],
  { set, offer }: { set: string; offer: ChosenOffer | undefined },
) {
  const newest = useContext(OwnTime);
  const isAsked = asked?.getAll('gpuName').length === 1 && waits.some((wait) => waitNeeds(wait) !== null);
  const path = isAsked ? pathTo(listLowestVerdicts, valuesOf(asked, choiceNames)) : null;
  const { data } = useAnswer(app, path, app.landed.value);
  return ({ market, type }: MarketWait): Judged | null => {
    const item =
      path === null ? undefined : data?.items.find((each) => each.market === market && each.type === type);
    if (!item?.timing || item.lowest === null) return null;
    const sentence = timingSentence(item.timing, {
      set,
      isDeverified: item.lowest.verification === 'deverified',
      numGpus: asked?.getAll('numGpus') ?? [],
      lowest: item.lowest.usdPerGpuHour,
      usdPerGpuHour: offer?.usdPerGpuHour ?? null,
      newest,
    });
    return { timing: item.timing, sentence };
  };
}

interface MeanwhileProps {
  timing: Timing;
  wait: MarketWait;
  asked: Props['asked'];
}

/** The books by which it is a good time or not; nothing if that is unknown. */
function Meanwhile({ timing, wait: { market, type }, asked }: MeanwhileProps) {
  if (timing === null || asked === null) return null;
  const query = { market, gpuName: asked.get('gpuName'), type };
  return (
    <p class="caption" data-meanwhile={timing.grade}>
      Until then it only says how the lowest price now compares with those of{' '}
      <Explain query={explainQuery('timing', query, pickParameters(asked, offerNames))}>
        {countOf(timing.books, 'earlier book')}
      </Explain>
      , and whether it is a <Term word="good time" />.
    </p>
  );
}

/** Whether waiting has paid off; as long as that is unknown, whether it is a good time to rent, else when it will be known. */
function Said({ wait, timing, needed }: { wait: MarketWait; timing: Judged | null; needed: string | null }) {
  const needs = waitNeeds(wait);
  if (needs === null) return <>{waitSentence(wait)}</>;
  return (
    <span class="soft" data-ready={needs.readyAt}>
      {timing === null ? needed : timing.sentence}
    </span>
  );
}

/** Returns what says when a wait can be told; null: it can. */
function useNeeded(app: App) {
  const newest = useContext(OwnTime);
  return (wait: MarketWait): string | null => {
    const needs = waitNeeds(wait);
    const kind = app.markets.value?.find(({ name }) => name === wait.market)?.kind;
    const isRecorded = kind === undefined ? newest !== null : kind === 'recorded';
    return needs && needsSentence(needs, isRecorded);
  };
}

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

function Chances({ waits, needed, meanwhile, withBids, explain }: ChancesProps) {
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
