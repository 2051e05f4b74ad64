import type { StoredChannel } from '../db/notify/channels.ts';
import { channelRegistry } from '../notify/channels/registry.ts';
import type { SecretBox } from '../notify/secret-box.ts';
import { ApiProblem, type FieldError } from './problem.ts';

/** What a body changes of a channel. */
export interface ChannelChange {
  name?: string | undefined;
  config?: Record<string, unknown> | undefined;
  /** null takes it away. */
  secret?: string | null | undefined;
}

/**
 * The channel with the change, its secret sealed; `made` is the secret that was made for a new one. Throws the 400
 * that names what its kind does not take.
 */
export function changedChannel(
  secrets: SecretBox,
  before: StoredChannel,
  change: ChannelChange,
  isNew: boolean,
): { channel: StoredChannel; made: string | null } {
  const adapter = channelRegistry[before.kind];
  const split = change.config === undefined ? null : (adapter.splitSecret?.(change.config) ?? null);
  const read = adapter.config.safeParse(change.config ?? before.config);
  if (!read.success) {
    throw refused(
      read.error.issues.map(({ path, message, code, ...issue }) => ({
        name: ['config', ...path, ...('keys' in issue ? (issue.keys as string[]) : [])].join('.'),
        detail: code === 'unrecognized_keys' ? `is no setting of ${before.kind}` : message,
      })),
    );
  }
  let secret = change.secret ?? split?.secret ?? null;
  if (secret !== null && adapter.secret === null) {
    throw refused([{ name: 'secret', detail: `is not used by ${before.kind}` }]);
  }
  const wrong = secret === null ? null : (adapter.secretProblem?.(secret) ?? null);
  if (wrong !== null) throw refused([{ name: change.secret ? 'secret' : 'config.url', detail: wrong }]);
  const keeps = secret === null && change.secret !== null && !isNew;
  const made = secret === null && !keeps ? (adapter.makeSecret?.() ?? null) : null;
  secret ??= made;
  if (secret === null && !keeps && adapter.secret?.required === true) {
    throw refused([{ name: 'secret', detail: `is missing: ${adapter.secret.meaning}` }]);
  }
  const sealed = secret === null ? (keeps ? before.secret : null) : secrets.seal(secret, before.id);
  const config = split === null ? read.data : split.config;
  return { channel: { ...before, name: change.name ?? before.name, config, secret: sealed }, made };
}

function refused(errors: FieldError[]): ApiProblem {
  const detail = errors.map(({ name, detail: what }) => `\`${name}\` ${what}`).join('; ');
  return new ApiProblem(400, 'invalid-request', detail, { errors });
}
