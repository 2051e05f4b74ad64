import type { PushTools } from '../../src/watches/channels/kinds/adapter.ts';

/** For tests that send nothing to a browser. */
export const noPush: PushTools = { keys: async () => null, subject: 'mailto:offerbook@example.com' };
