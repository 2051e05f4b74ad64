import { MarketError } from '../../../core/errors.ts';
import type { Finding } from '../../finding.ts';
import type { MarketClient } from '../client.ts';
import type { Dialect } from '../dialect.ts';

/** Tools of an examination. */
export interface Examination {
  client: MarketClient;
  dialect: Dialect;
  now: () => Date;
  signal: AbortSignal | undefined;
  /** Reports a finding. */
  note: (finding: Omit<Finding, 'measured'> & { measured?: Finding['measured'] }) => void;
  /** Counted over all calls. */
  seen: { throttles: number };
}

/** Rights needed for tracking, and what each allows. Source: docs/marketplace.md#5-keys. */
export const neededRights = {
  offers: 'misc',
  instances: 'instance_read',
  templates: 'user_read',
  invoices: 'billing_read',
  charges: 'billing_read',
  volumes: 'misc',
} as const;

/** Returns the result of `work`, or null with a `failed` finding if the market did not answer. */
export async function tryOut<T>(
  { note, signal }: Examination,
  subject: keyof typeof neededRights,
  what: string,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MarketError) || signal?.aborted === true) throw error;
    const right = error.kind === 'auth' ? `; the right ${neededRights[subject]} is needed` : '';
    const { kind, httpStatus } = error;
    note({
      subject,
      status: 'failed',
      message: `${what}: ${error.message}${right}`,
      measured: { kind, httpStatus },
    });
    return null;
  }
}
