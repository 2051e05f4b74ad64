import type { EndpointName } from '../endpoints/endpoint-name.ts';
import { type Chance, purposeOf } from '../model/chance.ts';
import type { Fault } from './fault-grammar.ts';
import { type FaultKind, type FaultStage, faultFacts } from './fault-kinds.ts';

/** The faults within one response. */
export interface RequestFaults {
  has(kind: FaultKind): boolean;
  /** Returns the value of an active fault; null: it is inactive or has none. */
  value(kind: FaultKind): number | null;
  /** Returns the rows that `hiding` leaves. */
  hide<T>(rows: readonly T[]): readonly T[];
  /** Whether a fault on rows affects this one, by any number of it; and a random number for its effect. */
  strikesRow(kind: FaultKind, row: number): number | null;
}

/** The faults of one request. */
interface DrawnFaults {
  instead: Fault | null;
  after: Fault | null;
  within: RequestFaults;
  /** The kinds, for the log. */
  kinds: readonly FaultKind[];
}

export interface FaultPlan {
  /** Replaces all faults and resets their counts. */
  set(faults: readonly Fault[]): void;
  /** Returns the active faults that are not used up. */
  active(): readonly Fault[];
  draw(request: { method: string; path: string; endpoint: EndpointName | null }): DrawnFaults;
}

const p = {
  strikes: purposeOf('fault strikes'),
  row: purposeOf('fault of row'),
  does: purposeOf('fault does'),
};

/** No faults at all. */
const noFaults: RequestFaults = {
  has: () => false,
  value: () => null,
  hide: (rows) => rows,
  strikesRow: () => null,
};

/** Decides which faults affect which request, the same way for the same sequence of requests. */
export function createFaultPlan(chance: Chance): FaultPlan {
  let planned: { fault: Fault; left: number }[] = [];
  let requests = 0;
  return {
    set(faults) {
      planned = faults.map((fault) => ({ fault, left: fault.count ?? Number.POSITIVE_INFINITY }));
    },
    active: () =>
      planned
        .filter(({ left }) => left > 0)
        .map(({ fault, left }) => ({ ...fault, count: fault.count === null ? null : left })),
    draw(request) {
      requests += 1;
      const number = requests;
      const taken = new Set<FaultStage>();
      const struck = planned.filter((plan, index) => {
        const { stage, usualRowShare } = faultFacts(plan.fault.kind);
        if (plan.left <= 0 || (stage !== 'within' && taken.has('instead')) || taken.has(stage)) return false;
        if (!matches(plan.fault, request)) return false;
        if (usualRowShare === undefined && chance(p.strikes, number, index) >= plan.fault.share) return false;
        plan.left -= 1;
        if (stage !== 'within') taken.add(stage);
        return true;
      });
      const faults = struck.map(({ fault }) => fault);
      const first = (stage: FaultStage) =>
        faults.find(({ kind }) => faultFacts(kind).stage === stage) ?? null;
      return {
        instead: first('instead'),
        after: first('after'),
        within: requestFaults(faults, chance, number),
        kinds: faults.map(({ kind }) => kind),
      };
    },
  };
}

function requestFaults(faults: readonly Fault[], chance: Chance, number: number): RequestFaults {
  if (faults.length === 0) return noFaults;
  const of = (kind: FaultKind) => faults.find((fault) => fault.kind === kind) ?? null;
  const strikesRow = (kind: FaultKind, row: number): number | null => {
    const fault = of(kind);
    if (fault === null) return null;
    const turn = number + purposeOf(kind);
    return chance(p.row, turn, row) < fault.share ? chance(p.does, turn, row) : null;
  };
  return {
    has: (kind) => of(kind) !== null,
    value: (kind) => of(kind)?.value ?? null,
    hide: (rows) =>
      of('hiding') === null ? rows : rows.filter((_, row) => strikesRow('hiding', row) === null),
    strikesRow,
  };
}

function matches(
  fault: Fault,
  request: { method: string; path: string; endpoint: EndpointName | null },
): boolean {
  const { endpoints } = faultFacts(fault.kind);
  if (endpoints !== undefined && (request.endpoint === null || !endpoints.includes(request.endpoint)))
    return false;
  if (fault.method !== null && fault.method !== request.method) return false;
  if (fault.path === null) return true;
  const wanted = fault.path.split('/');
  const parts = request.path.replace(/\/$/, '').split('/');
  return wanted.every((part, index) => (part === '*' ? parts[index] !== undefined : part === parts[index]));
}
