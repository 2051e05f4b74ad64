import { useEffect, useRef, useState } from 'preact/hooks';
import type { Backtest } from '../core/api.ts';
import { type Problem, problemOf } from '../core/api-client.ts';
import type { App } from '../core/app.ts';

/** Delay after the last change of a tested rule before it is tested again. */
const patienceMs = 400;

interface Past {
  /** The newest result, perhaps of an earlier rule; null: none yet. */
  latest: Backtest | null;
  /** Whether it is the result of this rule. */
  isCurrent: boolean;
  /** Why the newest request failed; null: it did not. */
  problem: Problem | null;
  /** Tests it again. */
  again(): void;
}

/** Tests a rule on the past: the first at once, others some time after the last change. `rule` null: it is incomplete. */
export function usePast(app: App, rule: Record<string, unknown> | null): Past {
  const [past, setPast] = useState<({ of: string } & Pick<Past, 'latest' | 'problem'>) | null>(null);
  const asked = rule === null ? null : JSON.stringify(rule);
  const [tries, setTries] = useState(0);
  const hasBegun = useRef(false);
  const version = app.landed.value;
  useEffect(() => {
    if (asked === null) return;
    let over = false;
    const keep = (latest: Backtest | null, problem: Problem | null) => {
      if (!over) setPast({ of: asked, latest, problem });
    };
    const delayMs = hasBegun.current ? patienceMs : 0;
    const timer = setTimeout(() => {
      hasBegun.current = true;
      app.api.backtestRule({ body: JSON.parse(asked) }).then(
        (answer) => keep(answer, null),
        (error) => keep(null, problemOf(error)),
      );
    }, delayMs);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [app, asked, version, tries]);
  return {
    latest: past?.latest ?? null,
    isCurrent: past !== null && past.of === asked,
    problem: past?.problem ?? null,
    again: () => setTries(tries + 1),
  };
}
