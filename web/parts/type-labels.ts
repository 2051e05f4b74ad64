import type { PricingType } from '../core/api.ts';

/** Names of the pricing types as people say them. */
export const typeLabels: Record<PricingType, string> = {
  'on-demand': 'On-demand',
  bid: 'Bid',
  reserved: 'Reserved',
};
