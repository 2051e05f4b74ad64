import type { ChannelKind } from './kinds/registry.ts';

/** Where notices go. Source: docs/api.md#channels. */
export interface Channel {
  id: string;
  kind: ChannelKind;
  /** Unique among channels. */
  name: string;
  /** Contains nothing secret. */
  config: Readonly<Record<string, unknown>>;
  /** Why nothing is sent to it any more; null: it is on. */
  offReason: string | null;
  createdAt: Date;
}

export const deliveryStates = ['queued', 'sent', 'refused', 'failed'] as const;
/** `refused`: permanently, at once; `failed`: after a day of attempts. */
export type DeliveryState = (typeof deliveryStates)[number];

/** Days for which an ended delivery is kept. */
export const deliveryDays = 90;
