import { ApiProblem, type FieldError } from '../../core/http/problem.ts';
import { documentAt } from '../../core/program-file.ts';
import type { StoredChannel } from './channels.sql.ts';
import { channelRegistry } from './kinds/registry.ts';
import { isHint, type OpenedChannel, openChannel, sealChannel, showConfig } from './kinds/sealed-config.ts';
import type { SecretBox } from './secret-box.ts';

const wasSealedOtherwise = 'was stored under another SECRETS_KEY: enter it again';
const isOnlyHint = 'is only the hint of a secret, with … in it: enter the secret itself';

/** The fields of a body that change a channel. */
export interface ChannelChange {
  name?: string | undefined;
  config?: Record<string, unknown> | undefined;
  /** null removes it. */
  secret?: string | null | undefined;
}

/**
 * Returns the channel with the change, its secret sealed; `made` is a generated secret of a new one. Throws a 400 that
 * names what its kind does not accept.
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
  if (!isNew && opened === null && (given !== undefined || change.secret)) {
    const hinted = (adapter.hidden ?? []).filter((name) => isHint((given ?? before.config)[name]));
    if (hinted.length > 0) {
      throw refused(hinted.map((name) => ({ name: `config.${name}`, detail: wasSealedOtherwise })));
    }
  }
  // An address given as the secret is shown like one given in the config.
  const address = change.secret ? { ...given, url: change.secret } : given;
  const split =
    address === undefined || isHint(address.url) ? null : (adapter.splitSecret?.(address) ?? null);
  const read = adapter.config.safeParse(given ?? opened?.config ?? before.config);
  if (!read.success) {
    throw refused(
      read.error.issues.map(({ path, message, code, ...issue }) => ({
        name: ['config', ...path, ...('keys' in issue ? (issue.keys as string[]) : [])].join('.'),
        detail:
          code === 'unrecognized_keys'
            ? `is not a setting of ${before.kind} channels`
            : message === 'Invalid input'
              ? `is not valid: Channels in ${documentAt('docs/api.md')} shows what it takes`
              : message,
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
    // The secret was sealed with another key: it stays as stored unless it is entered again.
    if (given === undefined) return { channel: { ...before, name }, made };
    throw refused([{ name: 'secret', detail: wasSealedOtherwise }]);
  }
  const config = split === null ? read.data : split.config;
  const full = { config, secret: secret ?? (keeps ? (opened?.secret ?? null) : null) };
  // A new secret is a new receiver.
  const offReason = change.secret ? null : before.offReason;
  return { channel: { ...before, name, offReason, ...sealChannel(adapter, secrets, before.id, full) }, made };
}

/**
 * Returns a config in which hints of a secret stand for the stored values; a hint that is itself the secret stays.
 * Throws a 400 for any other hint.
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
