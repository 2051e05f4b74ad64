import { UserError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Sql } from '../database/connection.ts';
import { listChannels, saveChannel } from '../watches/channels/channels.sql.ts';
import { channelRegistry } from '../watches/channels/kinds/registry.ts';
import { isHint, openChannel, sealChannel } from '../watches/channels/kinds/sealed-config.ts';
import type { SecretBox } from '../watches/channels/secret-box.ts';

/**
 * Seals the addresses that earlier versions stored in clear. A channel whose secret cannot be opened here is left and
 * reported.
 */
export async function sealAddresses(sql: Sql, secrets: SecretBox, log: Log): Promise<void> {
  for (const channel of await listChannels(sql, { after: null, limit: null })) {
    const adapter = channelRegistry[channel.kind];
    const isClear = (adapter.hidden ?? []).some(
      (name) => channel.config[name] !== undefined && !isHint(channel.config[name]),
    );
    if (!isClear) continue;
    const opened = openChannel(secrets, channel);
    const sealed = opened === null ? null : trySeal(() => sealChannel(adapter, secrets, channel.id, opened));
    if (sealed === null) {
      log.warn(
        { channel: channel.name },
        'the address of a channel is kept in clear: set SECRETS_KEY, or enter it again',
      );
    } else await saveChannel(sql, { ...channel, ...sealed });
  }
}

/** null: no key here. */
function trySeal<T>(seal: () => T): T | null {
  try {
    return seal();
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}
