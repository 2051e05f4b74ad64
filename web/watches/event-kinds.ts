import type { Status } from '../core/api.ts';
import { isLacking } from '../core/market-parts.ts';
import { accountRuleKinds, otherEventKinds, type RuleKind } from './rule-kinds.ts';

/** Alerts that need no watch: what the form to add one is called, and its kinds; or why none could fire. */
type EventKinds = { title: string; kinds: Readonly<Record<string, RuleKind>> } | { missing: string };

/** Returns the alerts without a watch that can fire at the market. */
export function eventKindsOf(status: Pick<Status, 'capabilities' | 'mode'> | null): EventKinds {
  if (status?.mode === 'replay') return { missing: 'Recorded market: it has no account to alert you about.' };
  return isLacking('account', status)
    ? { title: 'Add one on crawls or deliveries', kinds: otherEventKinds }
    : {
        title: 'Add one on the account, crawls or deliveries',
        kinds: { ...accountRuleKinds, ...otherEventKinds },
      };
}
