import type { Status } from './api.ts';

/** A part of a market that a view needs. */
export type MarketPart = 'account' | 'bills';

/** Whether the market is known to lack a part that a view needs: a recorded one has neither account nor bills. */
export const isLacking = (
  needs: MarketPart | undefined,
  status: Pick<Status, 'capabilities' | 'mode'> | null,
): boolean =>
  needs !== undefined && status !== null && (status.mode === 'replay' || !status.capabilities[needs]);
