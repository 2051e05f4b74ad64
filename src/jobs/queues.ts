import type { PricingType } from '../core/offer.ts';

/** The queues of the program's jobs. Each pricing type of offers has a queue, because its due scopes share a crawl. */
export const queueNames = [
  'crawl-on-demand',
  'crawl-bid',
  'crawl-reserved',
  'crawl-billing',
  'poll-instances',
  'carry-out-orders',
  'deliver',
  'report',
  'fetch-catalogs',
  'make-backup',
] as const;
/** A queue of the program, or that of the crawls of one of several markets. */
export type QueueName = (typeof queueNames)[number] | `crawl-${PricingType}.${string}`;

/** The queue of failed jobs, those whose every attempt failed. */
export const failedJobsQueue = 'dead-letters';

/** The schema with the queue's own tables. */
export const jobsSchema = 'offerbook_jobs';

/** Returns the queue for crawls of a pricing type; a second market has its own, so that neither delays the other. */
export const offersQueue = (type: PricingType, market: string | null = null): QueueName =>
  market === null ? `crawl-${type}` : `crawl-${type}.${market}`;

/**
 * Settings of every queue. An index keeps one active job per key, because the library's own policy can block a key for
 * up to a minute after its job. A job whose worker is silent for `heartbeatSeconds`, the allowed minimum, goes to
 * another.
 */
export const queueSettings = {
  heartbeatSeconds: 10,
  // Heartbeats detect a dead worker; this limit is for a crawl that hangs.
  expireInSeconds: 12 * 3_600,
  retryLimit: 4,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 60,
  // A tick that another process fires late still finds the job of its tick.
  deleteAfterSeconds: 12 * 3_600,
  retentionSeconds: 7 * 86_400,
  deadLetter: failedJobsQueue,
} as const;

/** Jobs that a person waits for, and the first book of a watch, come before scheduled ones. */
export const jobPriority = { asked: 10, first: 5, scheduled: 0 } as const;
