import { useContext } from 'preact/hooks';
import { getWaitOrRent, listLowestVerdicts } from '../../client/operations.js';
import { changedQuery } from '../core/address.ts';
import type { LowestVerdict, MarketWait } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { cheapestEndsIn, endingWords, hoursUntilEnd } from '../core/ending-words.ts';
import { countOf } from '../core/figures.ts';
import { OwnTime, useOwnNow } from '../core/own-time.ts';
import { pathTo, valuesOf } from '../core/path-to.ts';
import { useAnswer } from '../core/use-answer.ts';
import {
  bidSentence,
  checkingWords,
  hoursLabel,
  needsSentence,
  timingSentence,
  waitHours,
  waitNeeds,
  waitSentence,
} from '../core/wait-words.ts';
import { Choice } from './choice.tsx';
import { Explain, explainQuery } from './explain.tsx';
import { choiceNames, offerNames, pickParameters, profileHours } from './filter-fields.ts';
import { LastingPrice } from './lasting-price.tsx';
import { ProblemNotice } from './notice.tsx';
import { Term } from './term.tsx';
import { Chances } from './wait-chances.tsx';

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
  // Figures of what was asked before are not those of what is asked now.
  const isOther = path !== null && dataPath !== path;
  if (isOther && problem !== null) return <ProblemNotice problem={problem} retry={reload} />;
  const waits: readonly MarketWait[] = data === null ? [] : [data, ...data.others];
  const isPlural = waits.length > 1;
  const judged = offer?.asked ?? asked;
  const isLasting =
    offer === undefined && query.get('endingLast') === 'true' && query.getAll('gpuName').length === 1;
  const own = useVerdicts(app, judged, waits, isLasting);
  // Deals and Today judge any number of GPUs, which can be another time.
  const wider = useVerdicts(app, judged && anyNumber(judged), waits, false);
  const { verdictOf } = own;
  const isChecking = own.isChecking || wider.isChecking;
  const timingOf = useTimings(app, judged, {
    set,
    offer,
    hours: profileHours(query),
    ...own,
    widerOf: wider.verdictOf,
  });
  const neededOf = useNeeded(app);
  // Of all models there is no verdict to say, only whether waiting pays off.
  const isShort = offer === undefined && query.getAll('gpuName').length !== 1 && raisePercent === null;
  const wordsOf = (wait: MarketWait): string | null =>
    isChecking ? checkingWords : isShort ? chooseWords : neededOf(wait);
  return (
    // Closed at first, also with hours in the address: open, its answer would push away what follows.
    <details
      class={`waits${isShort ? ' short' : ''}${raisePercent === null ? '' : ' bids'}${isLasting ? ' lasting' : ''}`}
      data-path={dataPath}
    >
      <summary>
        <strong>Wait or rent?</strong> {(data === null || isOther) && checkingWords}
        {(isOther ? [] : waits).map((wait) => {
          const verdict = verdictOf(wait);
          return (
            <span key={wait.market} data-market={wait.market}>
              {isPlural && `${wait.market}: `}
              <Said wait={wait} timing={timingOf(wait)} needed={wordsOf(wait)} />{' '}
              {raisePercent !== null && bidSentence(wait, raisePercent)}{' '}
              {isLasting && judged !== null && verdict !== undefined && (
                <LastingPrice app={app} asked={judged} hours={profileHours(query)} judged={verdict} />
              )}
            </span>
          );
        })}
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
          <section key={market} data-market={market} class={isOther ? 'content stale' : undefined}>
            {isPlural && <h3>{market}</h3>}
            <Chances
              waits={wait}
              needed={timingOf(wait) === null && !isShort ? null : neededOf(wait)}
              meanwhile={
                <Meanwhile
                  judged={timingOf(wait)}
                  wait={wait}
                  asked={judged}
                  hours={isLasting ? null : profileHours(query)}
                  isList={offer === undefined}
                />
              }
              withBids={raisePercent !== null}
              explain={explainQuery('wait', { hours: chosen }, ofMarket ?? undefined)}
            />
          </section>
        );
      })}
    </details>
  );
}

/** Selects the same offers with any number of GPUs; null: they have it already. */
const anyNumber = (asked: URLSearchParams): URLSearchParams | null =>
  asked.has('numGpus') ? changedQuery(asked, { numGpus: null }) : null;

const chooseWords = 'Choose one model to see whether its price is low now.';

type Timing = LowestVerdict['timing'];

/** Whether the lowest price is low now, and that in words. */
interface Judged {
  timing: NonNullable<Timing>;
  sentence: string;
  /** In how many hours its host ends the lowest offer, if before those of the usage profile; null: later, or not stated. */
  endsInHours: number | null;
}

type VerdictOf = (wait: MarketWait) => LowestVerdict | undefined;

/** What a time is judged by, and how it is said. */
interface JudgedBy {
  set: string;
  offer: ChosenOffer | undefined;
  /** The hours of the usage profile. */
  hours: number;
  verdictOf: VerdictOf;
  /** Of any number of GPUs, where a number is chosen. */
  widerOf: VerdictOf;
}

/**
 * Loads the lowest prices of one model, judged, where the past does not tell yet whether waiting pays off, or where they
 * are wanted anyway.
 */
function useVerdicts(
  app: App,
  asked: Props['asked'],
  waits: readonly MarketWait[],
  isWanted: boolean,
): { verdictOf: VerdictOf; isChecking: boolean } {
  const isAsked =
    asked?.getAll('gpuName').length === 1 && (isWanted || waits.some((wait) => waitNeeds(wait) !== null));
  const path = isAsked ? pathTo(listLowestVerdicts, valuesOf(asked, choiceNames)) : null;
  const { data, dataPath, problem } = useAnswer(app, path, app.landed.value);
  const isOther = path !== null && dataPath !== path;
  const items = path === null || isOther ? [] : (data?.items ?? []);
  return {
    verdictOf: ({ market, type }) => items.find((each) => each.market === market && each.type === type),
    isChecking: isOther && problem === null,
  };
}

/** Returns what tells whether the lowest price is low now; null: too little history. */
function useTimings(app: App, asked: Props['asked'], { set, offer, hours, verdictOf, widerOf }: JudgedBy) {
  const newest = useContext(OwnTime);
  const now = useOwnNow();
  return (wait: MarketWait): Judged | null => {
    const item = verdictOf(wait);
    if (asked === null || !item?.timing || item.lowest === null) return null;
    const left = hoursUntilEnd(item.lowest.maxDurationHours, item.observedAt, now);
    const endsInHours = left !== null && left < hours ? left : null;
    const sentence = timingSentence(item.timing, {
      set,
      isDeverified: item.lowest.verification === 'deverified',
      numGpus: asked.getAll('numGpus'),
      lowest: item.lowest.usdPerGpuHour,
      lowestGpus: item.lowest.numGpus,
      endsInHours,
      gone: app.gone.get(item.lowest.offerId) ?? null,
      usdPerGpuHour: offer?.usdPerGpuHour ?? null,
      widerText: widerText(widerOf(wait), app),
      newest,
    });
    return { timing: item.timing, sentence, endsInHours };
  };
}

/** Returns what time it is with any number of GPUs; null: unknown, also if the lowest offer of them is gone. */
const widerText = (wider: LowestVerdict | undefined, { gone }: App): string | null =>
  wider?.lowest == null || gone.has(wider.lowest.offerId) ? null : (wider.timing?.text ?? null);

interface MeanwhileProps {
  judged: Judged | null;
  wait: MarketWait;
  asked: Props['asked'];
  /** The hours of the usage profile; null: an offer that lasts them is priced already. */
  hours: number | null;
  /** Whether the view lists offers below. */
  isList: boolean;
}

/** The books by which it is a good time or not; nothing if that is unknown. */
function Meanwhile({ judged, wait: { market, type }, asked, hours, isList }: MeanwhileProps) {
  if (judged === null || asked === null) return null;
  const { timing, endsInHours } = judged;
  const ending = hours === null ? null : endingWords(endsInHours, hours, cheapestEndsIn);
  const query = { market, gpuName: asked.get('gpuName'), type };
  return (
    <p class="caption" data-meanwhile={timing.grade}>
      Until then it only says how the lowest price now compares with those of{' '}
      <Explain query={explainQuery('timing', query, pickParameters(asked, offerNames))}>
        {countOf(timing.books, 'earlier book')}
      </Explain>
      , and whether it is a{' '}
      <span class="whole">
        <Term word="good time" />.
      </span>
      {ending !== null && ` ${ending}; ${isList ? 'the list below' : 'Deals'} can have such offers last.`}
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
