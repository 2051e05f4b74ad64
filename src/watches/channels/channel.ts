export const channelKinds = ['email', 'webhook', 'ntfy', 'slack', 'discord', 'telegram', 'file'] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** Where notices go. Source: design.md, `/api/channels`. */
export interface Channel {
  id: string;
  kind: ChannelKind;
  /** No other channel has it. */
  name: string;
  /** Nothing secret is in it. */
  config: Readonly<Record<string, unknown>>;
  createdAt: Date;
}

export const deliveryStates = ['queued', 'sent', 'refused', 'dead'] as const;
/** `refused`: for good, at once; `dead`: given up after a day of attempts. */
export type DeliveryState = (typeof deliveryStates)[number];
