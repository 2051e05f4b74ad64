import type { FailedJob } from './api.ts';

const queueWords: Readonly<Record<string, string>> = {
  'crawl-on-demand': 'Crawl of on-demand offers',
  'crawl-bid': 'Crawl of bid offers',
  'crawl-reserved': 'Crawl of reserved offers',
  'crawl-billing': 'Bill sync',
  'poll-instances': 'Instance poll',
  'carry-out-orders': 'Orders',
  deliver: 'Message delivery',
  report: 'Report',
  'fetch-catalogs': 'Fetch of list prices',
  'make-backup': 'Backup',
};

/** Returns what a job does: `Crawl of bid offers in clore, RTX 4090`; a market other than the first has its own queue. */
export function jobWords({ queue, scope }: Pick<FailedJob, 'queue' | 'scope'>): string {
  const [kind = '', market] = queue.split(/\.(.*)/s);
  const words = queueWords[kind] ?? kind;
  const what = market === undefined ? words : `${words} in ${market}`;
  return scope === null || scope === 'default' ? what : `${what}, ${scope.replace(/^models:/, '')}`;
}
