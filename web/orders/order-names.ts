import { listChannels, listWatches } from '../../client/operations.js';
import type { Channel, Watch } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { pathTo } from '../core/path-to.ts';
import { type Answer, useAnswer } from '../core/use-answer.ts';

/** The watches and channels that orders name. */
export interface OrderNames {
  watches: readonly Watch[];
  channels: readonly Channel[];
  /** Whether both are known. */
  areKnown: boolean;
}

/** Loads the watches and channels. */
export function useOrderNames(app: App): OrderNames {
  const watches = useAnswer(app, pathTo(listWatches, { limit: 1000 }));
  const channels = useAnswer(app, pathTo(listChannels, { limit: 1000 }));
  const isKnown = ({ data, problem }: Answer<unknown>) => data !== null || problem !== null;
  return {
    watches: watches.data?.items ?? [],
    channels: channels.data?.items ?? [],
    areKnown: isKnown(watches) && isKnown(channels),
  };
}

/** Returns the name of a watch; a deleted one has none. */
export const watchName = ({ watches }: OrderNames, id: string): string =>
  watches.find((watch) => watch.id === id)?.name ?? 'a deleted watch';
