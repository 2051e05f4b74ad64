import type { StoredChannel } from '../db/notify/channels.ts';
import { channelRegistry } from '../notify/channels/registry.ts';
import { isHint, type OpenedChannel, openChannel, sealChannel } from '../notify/channels/sealed-config.ts';
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
  const opened = isNew ? null : openChannel(secrets, before);
  const given = change.config === undefined ? undefined : withoutHints(change.config, before, opened);
  // Given as the secret, an address is shown as one that was given in the config.
  const address = change.secret ? { ...given, url: change.secret } : given;
  const split = address === undefined ? null : (adapter.splitSecret?.(address) ?? null);
  const read = adapter.config.safeParse(given ?? opened?.config ?? before.config);
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
  const name = change.name ?? before.name;
  // Sealed with another key: what is not entered again stays as it is stored.
  if (keeps && opened === null && given === undefined) return { channel: { ...before, name }, made };
  const config = split === null ? read.data : split.config;
  const full = { config, secret: secret ?? (keeps ? (opened?.secret ?? null) : null) };
  return { channel: { ...before, name, ...sealChannel(adapter, secrets, before.id, full) }, made };
}

/** A config in which what is shown in place of a secret, and comes back, means what it stands for. */
function withoutHints(
  given: Record<string, unknown>,
  before: StoredChannel,
  opened: OpenedChannel | null,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      isHint(value) && value === before.config[name] ? (opened?.config[name] ?? value) : value,
    ]),
  );
}

function refused(errors: FieldError[]): ApiProblem {
  const detail = errors.map(({ name, detail: what }) => `\`${name}\` ${what}`).join('; ');
  return new ApiProblem(400, 'invalid-request', detail, { errors });
}
