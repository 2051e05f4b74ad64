import type { Status } from './api.ts';

/** What of a market a view is about. */
export type MarketPart = 'account' | 'bills';

/** Whether the market is known to lack what a view is about. */
export const isLacking = (
  needs: MarketPart | undefined,
  status: Pick<Status, 'capabilities'> | null,
): boolean => needs !== undefined && status?.capabilities[needs] === false;
