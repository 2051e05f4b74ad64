import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BillingCertificate } from '../src/books/billing-certificate.ts';
import type { DatabaseTarget } from '../src/database/connection.ts';

export interface BillingTask {
  target: DatabaseTarget;
  marketId: number;
  url: string;
  apiKey: string;
  /** Whether to read the whole history again. */
  all: boolean;
}

/** Steps at which a crawl can be killed. */
export type BillingPhase = 'paging' | 'merge';

interface BillingEnd {
  event: 'end';
  outcome: string;
  reason: string | null;
  certificate: BillingCertificate | null;
}

/** Report of a crawl. */
export type BillingEvent = { event: 'phase'; phase: BillingPhase } | { event: 'page' } | BillingEnd;

/** When to kill: a moment after that page of this process, or after its merge has begun; null: never. */
export interface BillingKill {
  page: number | null;
  mergeMs: number | null;
}

export interface BillingChild {
  /** Whether it ended by SIGKILL, according to the system. */
  killed: boolean;
  /** Its last step. */
  phase: BillingPhase | null;
  /** null: it ended before. */
  end: BillingEnd | null;
  /** Why it was not complete; null: it was, or it was killed. */
  trouble: string | null;
}

const script = fileURLToPath(new URL('./billing-child.ts', import.meta.url));

/** Runs a crawl in a separate process and, with a plan, kills it with SIGKILL. */
export async function runBillingChild(
  task: BillingTask,
  plan: BillingKill = { page: null, mergeMs: null },
): Promise<BillingChild> {
  const child = spawn(process.execPath, [script, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const seen = { pages: 0, phase: null as BillingPhase | null, end: null as BillingEnd | null };
  let timer: NodeJS.Timeout | null = null;
  const killIn = (ms: number): void => {
    timer ??= setTimeout(() => child.kill('SIGKILL'), ms);
  };
  const note = (event: BillingEvent): void => {
    if (event.event === 'page') seen.pages += 1;
    if (event.event === 'phase') seen.phase = event.phase;
    if (event.event === 'end') seen.end = event;
    if (plan.page !== null && seen.pages >= plan.page && seen.phase !== 'merge') killIn(0);
    if (plan.mergeMs !== null && seen.phase === 'merge') killIn(plan.mergeMs);
  };
  let unread = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (unread + text).split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) note(JSON.parse(line) as BillingEvent);
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  await once(child, 'close');
  if (timer !== null) clearTimeout(timer);
  const killed = child.signalCode === 'SIGKILL';
  const { phase, end } = seen;
  const isWell = killed || end?.outcome === 'complete';
  const said = end?.reason ?? /^.*Error.*$/m.exec(stderr)?.[0] ?? stderr.trim();
  return {
    killed,
    phase,
    end,
    trouble: isWell ? null : `a reading was ${end?.outcome ?? 'broken off'}: ${said}`,
  };
}
