import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../core/log.ts';
import type { PricingType } from '../core/offer.ts';

/** How a crawl ended, as sent to the monitor. */
export interface CrawlEnd {
  kind: 'complete' | 'partial' | 'failed';
  /** Only `default` is sent. */
  scope: string;
  type: PricingType;
  /** null exactly when complete. */
  reason: string | null;
}

/**
 * Pings the monitor. Resolves when it has answered or the attempts are used up, never rejects; no caller has to wait.
 */
export type HealthcheckPing = (end: CrawlEnd) => Promise<void>;

export interface HealthcheckPingOptions {
  /** HEALTHCHECK_PING_URL, a secret that no message contains. null: no ping. */
  url: string | null;
  log: Log;
  /** @default 10000 */
  timeoutMs?: number | undefined;
  sleep?: ((ms: number) => Promise<unknown>) | undefined;
}

const maxReasonLength = 10_000;
/** Before the second and the third attempt. */
const pausesMs = [1_000, 5_000];

/**
 * Returns the ping of a dead-man's-switch monitor in the style of healthchecks.io: a GET after a complete book, a POST
 * of the reason to `/fail` after any other outcome.
 */
export function createHealthcheckPing(options: HealthcheckPingOptions): HealthcheckPing {
  const { url, log, timeoutMs = 10_000, sleep = delay } = options;
  if (url === null) return async () => {};
  return async ({ kind, scope, type, reason }) => {
    if (scope !== 'default') return;
    const request =
      kind === 'complete'
        ? { address: url }
        : {
            address: below(url, 'fail'),
            body: `The crawl of ${type} offers ${kind === 'failed' ? kind : 'was partial'}: ${reason}`.slice(
              0,
              maxReasonLength,
            ),
          };
    let problem: string | null = null;
    for (const pauseMs of [0, ...pausesMs]) {
      if (pauseMs > 0) await sleep(pauseMs);
      problem = await send(request, timeoutMs);
      if (problem === null) return;
    }
    log.warn({ type, kind, problem }, 'the healthcheck ping did not arrive');
  };
}

function below(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/${name}`;
  return address.href;
}

/** Returns why the ping did not arrive, without its address; null: it arrived. */
async function send(
  { address, body }: { address: string; body?: string },
  timeoutMs: number,
): Promise<string | null> {
  try {
    const answer = await fetch(address, {
      ...(body === undefined ? {} : { method: 'POST', body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.body?.cancel();
    return answer.ok ? null : `HTTP ${answer.status}`;
  } catch (error) {
    // Messages of network errors contain host and port.
    const { name, cause } = error as Error & { cause?: { code?: unknown } };
    return typeof cause?.code === 'string' ? cause.code : name;
  }
}
