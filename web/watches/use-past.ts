import { useEffect, useState } from 'preact/hooks';
import type { Backtest } from '../core/api.ts';
import { type Problem, problemOf } from '../core/api-client.ts';
import type { App } from '../core/app.ts';

/** Delay after the last change before the rule is tested. */
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

/** Tests a rule on the past, some time after its last change, one at a time. `rule` null: it is incomplete. */
export function usePast(app: App, rule: Record<string, unknown> | null): Past {
  const [past, setPast] = useState<({ of: string } & Pick<Past, 'latest' | 'problem'>) | null>(null);
  const asked = rule === null ? null : JSON.stringify(rule);
  const [tries, setTries] = useState(0);
  const version = app.landed.value;
  useEffect(() => {
    if (asked === null) return;
    let over = false;
    const keep = (latest: Backtest | null, problem: Problem | null) => {
      if (!over) setPast({ of: asked, latest, problem });
    };
    const timer = setTimeout(() => {
      app.api.backtestRule({ body: JSON.parse(asked) }).then(
        (answer) => keep(answer, null),
        (error) => keep(null, problemOf(error)),
      );
    }, patienceMs);
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
