import type { Status } from './api.ts';

/** A part of a market that a view needs. */
export type MarketPart = 'account' | 'bills';

/** Whether the market is known to lack a part that a view needs. */
export const isLacking = (
  needs: MarketPart | undefined,
  status: Pick<Status, 'capabilities'> | null,
): boolean => needs !== undefined && status?.capabilities[needs] === false;
