import type { ChannelKind } from './kinds/registry.ts';

/** Where notices go. Source: docs/api.md#channels. */
export interface Channel {
  id: string;
  kind: ChannelKind;
  /** No other channel has it. */
  name: string;
  /** Nothing secret is in it. */
  config: Readonly<Record<string, unknown>>;
  createdAt: Date;
}

export const deliveryStates = ['queued', 'sent', 'refused', 'failed'] as const;
/** `refused`: for good, at once; `failed`: after a day of attempts. */
export type DeliveryState = (typeof deliveryStates)[number];
