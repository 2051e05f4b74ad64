import { on } from '../../database/builder.ts';
import type { Sql } from '../../database/connection.ts';
import { eq } from '../../database/drizzle.ts';
import { channel, pushKey } from '../../database/schema/notify.ts';
import type { SecretBox } from './secret-box.ts';

/** The key pair of push messages (VAPID, RFC 8292), base64url. Browsers subscribe to messages of the public key. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

/** Whom the private key is sealed for. */
const owner = 'push key';

/**
 * Returns the key pair of this database; the first call makes it with `makeKeys`. null: it was encrypted with another
 * SECRETS_KEY. Without any channel of a browser, such a pair is replaced by a new one.
 */
export async function openPushKeys(
  sql: Sql,
  { secrets, makeKeys, now }: { secrets: SecretBox; makeKeys: () => Promise<PushKeys>; now: Date },
): Promise<PushKeys | null> {
  return await sql.begin(async (tx) => {
    // Of two processes one makes the keys, and both use them.
    await tx`with locked as materialized (select pg_advisory_xact_lock(hashtext('push-keys'))) select from locked`;
    const [kept] = await on(tx).select().from(pushKey);
    const opened = kept === undefined ? null : secrets.open(kept.privateKey, owner);
    if (kept !== undefined && opened !== null) return { publicKey: kept.publicKey, privateKey: opened };
    const [waiting] = await on(tx)
      .select({ id: channel.id })
      .from(channel)
      .where(eq(channel.kind, 'browser'))
      .limit(1);
    if (kept !== undefined && waiting !== undefined) return null;
    const keys = await makeKeys();
    const row = {
      publicKey: keys.publicKey,
      privateKey: secrets.seal(keys.privateKey, owner),
      createdAt: now,
    };
    await on(tx).insert(pushKey).values(row).onConflictDoUpdate({ target: pushKey.id, set: row });
    return keys;
  });
}
