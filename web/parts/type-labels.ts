import type { PricingType } from '../core/api.ts';

/** Display names of the pricing types. */
export const typeLabels: Record<PricingType, string> = {
  'on-demand': 'On-demand',
  bid: 'Bid',
  reserved: 'Reserved',
};
