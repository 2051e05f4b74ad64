import type { ChannelTools } from './kinds/adapter.ts';
import type { SecretBox } from './secret-box.ts';

/** What notices are sent with, from the settings. */
export interface NotifyAccess {
  secrets: SecretBox;
  tools: ChannelTools;
  close: () => Promise<void>;
}
