import { connect } from 'node:net';
import { startRelay } from '../relay.ts';
import { codeAnswers, rawAnswers, startRawServer } from './raw-answers.ts';
import type { SimulatedKind, SimulatedMarket } from './simulated-market.ts';

/** A way of failing. */
export interface Way {
  name: string;
  /** Whether it affects the requests of crawls of offers. */
  strikes: boolean;
  /** Whether clients send nothing for a minute after it, so that the next failure cannot occur. */
  pauses: boolean;
}

/** A simulated market behind an address at which it fails in every way. */
export interface FailingMarket {
  url: string;
  ways: readonly Way[];
  /** Makes every answer fail this way from now on and aborts open requests; null: none fails. */
  fail: (way: Way | null) => void;
  /** Requests that failed in the current way. */
  struck: () => number;
  close: () => void;
}

/** Share of the rows that a fault affects if not all, as in `test/books/crawl/fault-matrix.test.ts`. */
const shares: Readonly<Record<string, number>> = { hiding: 0.9 };

/** Every fault of the simulator, every other row of docs/faults.md, and an address where nobody listens. */
export async function breakMarket(kind: SimulatedKind, market: SimulatedMarket): Promise<FailingMarket> {
  const raw = await startRawServer();
  const behind = Number(new URL(market.url).port);
  let leadsTo = behind;
  let isCut = false;
  let before = 0;
  const relay = await startRelay(() => connect(leadsTo, '127.0.0.1'));
  const answers = { ...rawAnswers, ...(kind === 'clore' ? codeAnswers : {}) };
  const faults = new Map(market.faults.map((fault) => [fault.kind as string, fault]));
  const names = [...faults.keys(), ...Object.keys(answers), 'nobody-listens'];
  return {
    url: `http://127.0.0.1:${relay.port}`,
    ways: names.map((name) => ({
      name,
      strikes: faults.get(name)?.strikes ?? name in answers,
      pauses: name.startsWith('429'),
    })),
    fail: (way) => {
      const name = way?.name ?? '';
      const answer = answers[name] ?? null;
      if (isCut) relay.restore();
      isCut = name === 'nobody-listens';
      leadsTo = answer === null ? behind : raw.port;
      raw.set(answer);
      market.simulator.setFaults(faults.has(name) ? [`${name}:${shares[name] ?? 1}`] : []);
      before = market.simulator.requests().length;
      if (isCut) relay.cut();
      else relay.reset();
    },
    struck: () => {
      const faulty = market.simulator.requests().slice(before);
      return raw.answered() + faulty.filter((request) => request.faults.length > 0).length;
    },
    close: () => {
      if (!isCut) relay.cut();
      raw.close();
    },
  };
}
