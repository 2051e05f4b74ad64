import type { PricingType } from '../core/offer.ts';

/** The queues of the program's jobs. Offers have one for each pricing type, whose due scopes share a crawl. */
export const queueNames = [
  'crawl-on-demand',
  'crawl-bid',
  'crawl-reserved',
  'crawl-billing',
  'poll-instances',
  'deliver',
  'report',
  'fetch-catalogs',
] as const;
/** A queue of the program, or that of the crawls of one of several markets. */
export type QueueName = (typeof queueNames)[number] | `crawl-${PricingType}.${string}`;

/** The queue of failed jobs, those whose every attempt failed, as the database names it. */
export const failedJobsQueue = 'dead-letters';

/** The schema that holds the queue's own tables. */
export const jobsSchema = 'offerbook_jobs';

/** The queue of the crawls of a pricing type: of the first market, or by its name of another, which none holds up. */
export const offersQueue = (type: PricingType, market: string | null = null): QueueName =>
  market === null ? `crawl-${type}` : `crawl-${type}.${market}`;

/**
 * How every queue treats its jobs. The library's own policy of one active job a key would leave a key out for up
 * to a minute after its job has ended: an index sees to it instead. A job whose worker is
 * silent for `heartbeatSeconds` (the least that can be asked for) is taken up by another.
 */
export const queueSettings = {
  heartbeatSeconds: 10,
  // Heartbeats tell a dead worker; this is for a crawl that has lost its way.
  expireInSeconds: 12 * 3_600,
  retryLimit: 4,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 60,
  // A tick that comes late from another process still meets the job of its tick.
  deleteAfterSeconds: 12 * 3_600,
  retentionSeconds: 7 * 86_400,
  deadLetter: failedJobsQueue,
} as const;

/** Jobs that a person waits for, and a watch's first book, come before those of the schedule. */
export const jobPriority = { asked: 10, first: 5, scheduled: 0 } as const;
