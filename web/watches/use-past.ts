import { useEffect, useState } from 'preact/hooks';
import type { Backtest } from '../core/api.ts';
import type { App } from '../core/app.ts';

/** Delay after the last change before the rule is tested. */
const patienceMs = 400;

interface Past {
  /** The newest result, perhaps of an earlier rule; null: none yet. */
  latest: Backtest | null;
  /** Whether it is the result of this rule. */
  isCurrent: boolean;
}

/** Tests a rule on the past, some time after its last change, one at a time. `rule` null: it is incomplete. */
export function usePast(app: App, rule: Record<string, unknown> | null): Past {
  const [past, setPast] = useState<{ of: string; answer: Backtest | null } | null>(null);
  const asked = rule === null ? null : JSON.stringify(rule);
  const version = app.landed.value;
  useEffect(() => {
    if (asked === null) return;
    let over = false;
    const keep = (answer: Backtest | null) => {
      if (!over) setPast({ of: asked, answer });
    };
    const timer = setTimeout(() => {
      app.api.backtestRule({ body: JSON.parse(asked) }).then(keep, () => keep(null));
    }, patienceMs);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [app, asked, version]);
  return { latest: past?.answer ?? null, isCurrent: past !== null && past.of === asked };
}
