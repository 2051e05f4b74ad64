import { proveDeliveries } from '../notify/deliveries.ts';
import type { Topic } from '../proof.ts';

export const notifyTopic: Topic = {
  promise: 'every notice arrives, in order for each channel, whatever receivers and senders do meanwhile',
  prove: proveDeliveries,
};
