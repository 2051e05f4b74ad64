import type { ComponentChildren } from 'preact';
import type { Channel, Rule, Watch } from '../core/api.ts';

/** Returns the channels that a rule notifies: its own, else those of its watch; without those that are off. */
export const notifiedChannels = (
  rule: Pick<Rule, 'channelIds'>,
  watch: Pick<Watch, 'channelIds'> | null,
  channels: readonly Channel[],
): readonly string[] =>
  onlyOn(rule.channelIds.length > 0 ? rule.channelIds : (watch?.channelIds ?? []), channels);

/**
 * Returns the names of all channels that a watch notifies; those that only its alerts have say so, because its report is
 * not sent to them. Empty: none.
 */
export function channelNames(
  watch: Pick<Watch, 'channelIds'>,
  rules: readonly Pick<Rule, 'channelIds'>[],
  channels: readonly Pick<Channel, 'id' | 'name' | 'offReason'>[],
): string[] {
  const ids = new Set(
    onlyOn(
      [watch, ...rules].flatMap(({ channelIds }) => channelIds),
      channels,
    ),
  );
  const nameOf = (id: string) => channels.find((channel) => channel.id === id)?.name ?? id;
  return [...ids].map((id) => `${nameOf(id)}${watch.channelIds.includes(id) ? '' : ' (alerts only)'}`);
}

/** Returns the ids without those of channels that are off. */
export const onlyOn = (
  ids: readonly string[],
  channels: readonly Pick<Channel, 'id' | 'offReason'>[],
): readonly string[] =>
  ids.filter((id) => !channels.some((channel) => channel.id === id && channel.offReason !== null));

/**
 * Returns what of a watch notifies nobody while it has these channels, and what to do; null: its report and all alerts
 * notify somebody.
 */
export function unheardOfWatch(
  rules: readonly Pick<Rule, 'channelIds'>[],
  channelIds: readonly string[],
  channels: readonly Channel[],
): string | null {
  if (onlyOn(channelIds, channels).length > 0) return null;
  const unheard = rules.filter(
    (rule) => notifiedChannels(rule, { channelIds: [...channelIds] }, channels).length === 0,
  );
  if (rules.length === 0 || unheard.length === rules.length)
    return 'Its report and its alerts notify nobody until you choose a channel here.';
  const others =
    unheard.length === 0
      ? 'Its alerts have channels of their own'
      : `${unheardAlerts(unheard.length, rules.length)} too; the others have channels of their own`;
  return `Its report notifies nobody until you choose a channel here. ${others}, as listed below.`;
}

/** Returns `1 of its 2 alerts notifies nobody`. */
const unheardAlerts = (unheard: number, all: number): string =>
  `${unheard} of its ${all} alerts ${unheard === 1 ? 'notifies' : 'notify'} nobody`;

/** Returns how many of a watch's alerts notify nobody while others notify somebody; null: all do, or none does. */
export function someUnheard(
  rules: readonly Pick<Rule, 'channelIds'>[],
  watch: Pick<Watch, 'channelIds'>,
  channels: readonly Channel[],
): string | null {
  const unheard = rules.filter((rule) => notifiedChannels(rule, watch, channels).length === 0).length;
  return unheard === 0 || unheard === rules.length ? null : unheardAlerts(unheard, rules.length);
}

/** Marks what has no channel, in a list. */
export const NotifiesNobody = () => (
  <span class="rose" data-notifies="nobody" title="It has no channel: nobody is notified">
    Notifies nobody
  </span>
);

/** Where to add a channel, from another view. */
export const addUnderWatches = (
  <>
    add a channel under <a href="/watches">Watches</a>
  </>
);

interface Props {
  /** Ids of the channels that would be notified. */
  notified: readonly string[];
  channels: readonly Channel[];
  /** What to do if there is no channel, and if there are some. */
  none: ComponentChildren;
  hint: string;
}

/** Warns in a form that what it saves would notify nobody. */
export function NotifiesNobodyYet({ notified, channels, none, hint }: Props) {
  if (notified.length > 0) return null;
  return (
    <p class="remark" role="status" data-notifies="nobody">
      Notifies nobody: {channels.length === 0 ? none : hint}.
    </p>
  );
}
