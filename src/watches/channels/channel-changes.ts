import { ApiProblem, type FieldError } from '../../core/http/problem.ts';
import type { StoredChannel } from './channels.sql.ts';
import { channelRegistry } from './kinds/registry.ts';
import { isHint, type OpenedChannel, openChannel, sealChannel, showConfig } from './kinds/sealed-config.ts';
import type { SecretBox } from './secret-box.ts';

const isOnlyHint = 'is only the hint of a secret, with … in it: enter the secret itself';

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
  const split =
    address === undefined || isHint(address.url) ? null : (adapter.splitSecret?.(address) ?? null);
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
  const wrong =
    secret === null ? null : isHint(secret) ? isOnlyHint : (adapter.secretProblem?.(secret) ?? null);
  if (wrong !== null) throw refused([{ name: change.secret ? 'secret' : 'config.url', detail: wrong }]);
  const keeps = secret === null && change.secret !== null && !isNew;
  const made = secret === null && !keeps ? (adapter.makeSecret?.() ?? null) : null;
  secret ??= made;
  if (secret === null && !keeps && adapter.secret?.required === true) {
    throw refused([{ name: 'secret', detail: `is missing: ${adapter.secret.meaning}` }]);
  }
  const name = change.name ?? before.name;
  if (keeps && opened === null) {
    // Sealed with another key: what is not entered again stays as it is stored.
    if (given === undefined) return { channel: { ...before, name }, made };
    throw refused([{ name: 'secret', detail: 'was stored under another SECRETS_KEY: enter it again' }]);
  }
  const config = split === null ? read.data : split.config;
  const full = { config, secret: secret ?? (keeps ? (opened?.secret ?? null) : null) };
  return { channel: { ...before, name, ...sealChannel(adapter, secrets, before.id, full) }, made };
}

/**
 * A config in which what is shown in place of a secret, and comes back, means what it stands for; one that is itself
 * the secret stays a hint. Throws the 400 for the hint of anything else.
 */
function withoutHints(
  given: Record<string, unknown>,
  before: StoredChannel,
  opened: OpenedChannel | null,
): Record<string, unknown> {
  const adapter = channelRegistry[before.kind];
  const shown = showConfig(adapter, before.config);
  const isShownAsHint = (name: string) =>
    adapter.hidden?.includes(name) === true || (adapter.splitSecret !== undefined && name === 'url');
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (!isHint(value) || !isShownAsHint(name)) return [name, value];
      if (value !== shown[name]) {
        throw refused([{ name: `config.${name}`, detail: isOnlyHint }]);
      }
      return [name, opened?.config[name] ?? value];
    }),
  );
}

function refused(errors: FieldError[]): ApiProblem {
  const detail = errors.map(({ name, detail: what }) => `\`${name}\` ${what}`).join('; ');
  return new ApiProblem(400, 'invalid-request', detail, { errors });
}
