import { cools } from './cooldown.ts';
import type { RuleFields } from './rule.ts';
import {
  type BookTime,
  extendHistory,
  type HistoryEntry,
  historyMs,
  judgeReading,
  type Reading,
} from './rule-condition.ts';

/** What a rule remembers of the watch's best offer, or of one listing. */
interface KeyState {
  /** Whether the condition held in the last n books, newest last. */
  bits: readonly (0 | 1)[];
  /** Whether it may fire. */
  armed: boolean;
  /** Books in a row without the condition. */
  outside: number;
  /** When it last fired, ms, and its value then; null: never. */
  fired: { at: number; value: number | null } | null;
  /** The value of the previous book. */
  last: number | null;
  /** The first value ever seen. */
  first: number | null;
  history: readonly HistoryEntry[];
}

/** The state of a rule; plain JSON. */
export interface RuleState {
  /** By key: `best`, or the listing's id. */
  keys: Readonly<Record<string, KeyState>>;
  /** Alerts of the UTC day so far; null: none yet. */
  day: { day: string; alerts: number } | null;
}

/** A firing of a rule. */
export interface Firing {
  key: string;
  value: number | null;
  baseline: number | null;
  previous: number | null;
  /** Whether the rule has looked at no book before; false if a listing is unknown, which may be new. */
  isFirst: boolean;
  /** The daily cap was reached: it is stored and not sent. */
  capped: boolean;
}

export const blankState: RuleState = { keys: {}, day: null };

type JudgedRule = Pick<
  RuleFields,
  'kind' | 'params' | 'of' | 'hysteresisPercent' | 'cooldownMinutes' | 'rearm' | 'dailyCap'
>;

/**
 * Advances a rule by one book, or one look at events: returns its new state and the firings. A pure function: the same
 * books always give the same firings. Remembered keys without a reading have no value in this book. Returns the same
 * state object if nothing has changed.
 */
export function stepRule(
  rule: JudgedRule,
  state: RuleState,
  time: BookTime,
  readings: ReadonlyMap<string, Reading>,
): { state: RuleState; firings: Firing[] } {
  const firings: Firing[] = [];
  let changed: Record<string, KeyState> | null = null;
  let { day } = state;
  const keys = new Set([...readings.keys(), ...Object.keys(state.keys)]);
  for (const key of [...keys].sort(byKey)) {
    const before = state.keys[key] ?? blankKey(rule);
    const reading = readings.get(key) ?? absent;
    const { next, firing } = stepKey(rule, before, time, reading);
    if (firing !== null) {
      const today = new Date(time.at).toISOString().slice(0, 10);
      const alerts = day?.day === today ? day.alerts : 0;
      const capped = rule.dailyCap !== null && alerts >= rule.dailyCap;
      if (!capped) day = { day: today, alerts: alerts + 1 };
      firings.push({ key, ...firing, isFirst: key === 'best' && before.bits.length === 0, capped });
    }
    const forget = isForgettable(rule, key, next, time.at);
    if (next === before && key in state.keys && !forget) continue;
    changed ??= { ...state.keys };
    if (forget) delete changed[key];
    else changed[key] = next;
  }
  if (changed === null && day === state.day) return { state, firings };
  return { state: { keys: changed ?? state.keys, day }, firings };
}

/** Returns the state with a book in its history and nothing else changed: the history of a rule that begins later. */
export function rememberBook(
  rule: JudgedRule,
  state: RuleState,
  { at, before }: BookTime,
  readings: ReadonlyMap<string, Reading>,
): RuleState {
  const reachMs = historyMs(rule.kind, rule.params);
  if (reachMs === 0) return state;
  const keys: Record<string, KeyState> = {};
  for (const key of new Set([...readings.keys(), ...Object.keys(state.keys)])) {
    const known = state.keys[key] ?? blankKey(rule);
    const { value, held } = readings.get(key) ?? absent;
    const history = extendHistory(known.history, [at, value, held, before], reachMs);
    const next = { ...known, history };
    if (!isForgettable(rule, key, next, at)) keys[key] = next;
  }
  return { ...state, keys };
}

/**
 * Returns the state of a rule that restarts after firings: its history, its firings and the day's alerts. With `rearm:
 * 'leave'` it is armed at once; with a time or `never` it stays disarmed.
 */
export function beginAnew(rule: JudgedRule, fresh: RuleState, old: RuleState): RuleState {
  const keys: Record<string, KeyState> = { ...fresh.keys };
  for (const [key, { fired }] of Object.entries(old.keys)) {
    if (fired === null) continue;
    const blank = keys[key] ?? blankKey(rule);
    keys[key] = { ...blank, fired, armed: blank.armed && rule.rearm === 'leave' };
  }
  return { keys, day: old.day };
}

/** A firing that a rule remembers. */
type Fired = NonNullable<KeyState['fired']>;

/**
 * Returns the firings that reached nobody and whose condition has held since, and the state without the other firings
 * that reached nobody: these block no later one.
 */
export function unheardFirings(
  { of }: Pick<JudgedRule, 'of'>,
  state: RuleState,
  isUnheard: (fired: Fired) => boolean,
): { pending: Fired[]; state: RuleState } {
  const pending: Fired[] = [];
  const keys: Record<string, KeyState> = {};
  for (const [key, known] of Object.entries(state.keys)) {
    const { fired, armed, outside } = known;
    const unheard = fired !== null && isUnheard(fired);
    const stands = unheard && !armed && outside < of.n;
    if (stands) pending.push(fired);
    keys[key] = unheard && !stands ? { ...known, fired: null, armed: true } : known;
  }
  return { pending, state: { ...state, keys } };
}

/** Every moment at which a rule remembers to have fired, ms. */
export const firedMoments = ({ keys }: RuleState): number[] =>
  Object.values(keys).flatMap(({ fired }) => fired?.at ?? []);

/** Whether a rule that is added now, with only this history, would fire on this book. */
export function wouldFireAtOnce(
  rule: JudgedRule,
  { keys }: RuleState,
  time: BookTime,
  readings: ReadonlyMap<string, Reading>,
): boolean {
  const asNew = Object.entries(keys).map(([key, { history }]) => [key, { ...blankKey(rule), history }]);
  const once = { ...rule, of: { m: 1, n: 1 }, dailyCap: null };
  return stepRule(once, { keys: Object.fromEntries(asNew), day: null }, time, readings).firings.length > 0;
}

/** Keys that are remembered and missing. */
const absent: Reading = { value: null, held: null };

const byKey = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1);

const blankKey = ({ kind }: JudgedRule): KeyState => ({
  bits: [],
  // Back in stock is only news after it was out of stock.
  armed: kind !== 'backInStock',
  outside: 0,
  fired: null,
  last: null,
  first: null,
  history: [],
});

type KeyFiring = Omit<Firing, 'key' | 'isFirst' | 'capped'>;

function stepKey(
  rule: JudgedRule,
  before: KeyState,
  time: BookTime,
  reading: Reading,
): { next: KeyState; firing: KeyFiring | null } {
  const { m, n } = rule.of;
  const { at } = time;
  const { kind, params, hysteresisPercent, cooldownMinutes, rearm } = rule;
  const verdict = judgeReading(kind, params, hysteresisPercent, reading, time, before);
  const bits = pushBit(before.bits, verdict.holds ? 1 : 0, n);
  const outside = verdict.holdsRelaxed ? 0 : Math.min(before.outside + 1, n);
  const active = verdict.holds && bits.filter((bit) => bit === 1).length >= m;
  const mayAgain =
    before.armed ||
    (typeof rearm === 'object' &&
      before.fired !== null &&
      at - before.fired.at >= rearm.afterMinutes * 60_000) ||
    // A change since the last firing starts again with each firing.
    (kind === 'changePercent' && params.since === 'lastFired' && rearm === 'leave');
  const fires = active && mayAgain && !(before.fired !== null && cools(cooldownMinutes, before.fired.at, at));
  const reachMs = historyMs(kind, params);
  const { value, held } = reading;
  const history =
    reachMs === 0 ? before.history : extendHistory(before.history, [at, value, held, time.before], reachMs);
  const armsFirstTime =
    outside >= n && (rearm === 'leave' || kind === 'backInStock') && before.fired === null;
  const comesBack = outside >= n && rearm === 'leave';
  const next: KeyState = {
    bits,
    outside,
    armed: fires ? false : before.armed || comesBack || armsFirstTime,
    fired: fires ? { at, value } : before.fired,
    last: value,
    first: before.first ?? value,
    history,
  };
  const firing = fires ? { value, baseline: verdict.baseline, previous: before.last } : null;
  return { next: isSameKey(before, next) ? before : next, firing };
}

/** If all bits are equal the array is kept as it is, so that nothing is written while nothing changes. */
function pushBit(bits: readonly (0 | 1)[], bit: 0 | 1, n: number): readonly (0 | 1)[] {
  if (bits.length === n && bits.every((each) => each === bit)) return bits;
  return [...bits, bit].slice(-n);
}

const isSameKey = (a: KeyState, b: KeyState): boolean =>
  a.bits === b.bits &&
  a.outside === b.outside &&
  a.armed === b.armed &&
  a.fired === b.fired &&
  a.last === b.last &&
  a.first === b.first &&
  a.history === b.history;

/** A missing listing that needs no memory. */
const isForgettable = (rule: JudgedRule, key: string, state: KeyState, at: number): boolean =>
  key !== 'best' &&
  state.last === null &&
  state.bits.every((bit) => bit === 0) &&
  state.history.every(([, value]) => value === null) &&
  (state.fired === null ? state.armed : isOver(rule, state, state.fired.at, at));

/** Whether the last firing no longer blocks the listing: cooldown and rearm time are over. */
function isOver(
  { rearm, cooldownMinutes }: JudgedRule,
  { armed }: KeyState,
  firedAt: number,
  at: number,
): boolean {
  if (cools(cooldownMinutes, firedAt, at)) return false;
  return typeof rearm === 'object' ? at - firedAt >= rearm.afterMinutes * 60_000 : armed;
}
