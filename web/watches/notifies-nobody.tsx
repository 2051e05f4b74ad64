import type { ComponentChildren } from 'preact';
import type { Channel, Rule, Watch } from '../core/api.ts';
import { sentenceCase } from '../core/sentence-case.ts';
import { canNotify, channelLabel } from './channel-names.ts';

/** Returns the channels that a rule notifies: its own, else those of its watch; without those that are off. */
export const notifiedChannels = (
  rule: Pick<Rule, 'channelIds'>,
  watch: Pick<Watch, 'channelIds'> | null,
  channels: readonly Channel[],
): readonly string[] =>
  onlyOn(rule.channelIds.length > 0 ? rule.channelIds : (watch?.channelIds ?? []), channels);

/** Returns the names of channels, each with its kind; one that is not known is `a new channel`. */
export const channelNames = (ids: readonly string[], channels: readonly Channel[]): string =>
  ids
    .map((id) => channels.find((channel) => channel.id === id))
    .map((channel) => (channel === undefined ? 'a new channel' : channelLabel(channel)))
    .join(', ');

/** Returns the ids without those of channels that are off. */
export const onlyOn = (
  ids: readonly string[],
  channels: readonly Pick<Channel, 'id' | 'offReason'>[],
): readonly string[] =>
  ids.filter((id) => !channels.some((channel) => channel.id === id && channel.offReason !== null));

/** Returns what to do where none of some channels is chosen: choose one, or switch one on. */
const chooseOne = (channels: readonly Pick<Channel, 'offReason'>[], choose: string): string =>
  channels.every(({ offReason }) => offReason !== null)
    ? 'every channel is off (the list of channels says why). Add another one'
    : choose;

/**
 * Says that no channel is chosen for an alert: whom its watch notifies then, else what to do about it. `reason`: why the
 * reader may not add a channel; null: they may.
 */
export function noChannelWords(
  channels: readonly Pick<Channel, 'id' | 'name' | 'kind' | 'offReason'>[],
  watch: { name: string; channelIds: readonly string[] } | null,
  reason: string | null,
): string {
  const own = channels.filter(({ id }) => watch?.channelIds.includes(id) === true);
  if (own.length > 0 && !own.some(canNotify))
    return `Notifies nobody: the watch ${watch?.name} only writes files, by ${own.map(({ name }) => name).join(', ')}.`;
  if (own.length > 0)
    return `Notifies the channels of the watch ${watch?.name}: ${own.map((channel) => channelLabel(channel)).join(', ')}.`;
  if (channels.length === 0) return `Notifies nobody: there is no channel yet. ${reason ?? 'Add one here.'}`;
  if (channels.some(({ offReason }) => offReason === null)) return 'Notifies nobody: choose a channel.';
  const reasons = channels.map(({ name, offReason }) => ({
    name,
    parts: (offReason ?? '').split(toAllowIt),
  }));
  // What to do comes first, in a sentence of its own, if it is the same for all.
  const [remedy, ...others] = new Set(reasons.map(({ parts: [, how] }) => how));
  const isFirst = remedy !== undefined && others.length === 0;
  const off = reasons
    .map(({ name, parts }) => `${name} is off (${isFirst ? parts[0] : parts.join(toAllowIt)})`)
    .join(', ');
  const test = `choose ${channels.length === 1 ? 'the' : 'a'} channel and send a test, which switches it on if it arrives.`;
  const steps = isFirst ? `First ${remedy}. Then ${test}` : sentenceCase(test);
  return `Notifies nobody: ${off}. ${steps}${reason === null ? ' Or add another channel.' : ''}`;
}

/** What stands between why an address is refused and how to allow it. */
const toAllowIt = '; to allow it, ';

/**
 * Returns what of a watch notifies nobody while it has these channels, and what to do; null: nothing does. `hasReport`:
 * whether its report is sent by itself.
 */
export function unheardOfWatch(
  rules: readonly Pick<Rule, 'channelIds'>[],
  { channelIds, hasReport }: { channelIds: readonly string[]; hasReport: boolean },
  channels: readonly Channel[],
): string | null {
  const watch = { channelIds: [...channelIds] };
  const unheard = rules.filter((rule) => notifiedChannels(rule, watch, channels).length === 0).length;
  const isReportUnheard = hasReport && onlyOn(channelIds, channels).length === 0;
  if (unheard === 0 && !isReportUnheard) return null;
  const some = `${unheard} of its ${rules.length} alerts`;
  const alerts = unheard === 0 ? [] : [unheard === rules.length ? 'its alerts' : some];
  const what = [...(isReportUnheard ? ['its report'] : []), ...alerts].join(' and ');
  const isOne = what === 'its report' || what.startsWith('1 of');
  return `${sentenceCase(what)} ${isOne ? 'notifies' : 'notify'} nobody: ${chooseOne(channels, 'choose a channel')}.`;
}

/** Marks what has no channel, or only channels that are off, in a list. */
export const NotifiesNobody = ({ off = [] }: { off?: readonly Pick<Channel, 'name'>[] }) => (
  <span class="rose" data-notifies="nobody">
    Notifies nobody:{' '}
    {off.length > 0 ? off.map(({ name }) => `${name} is off`).join(', ') : 'no channel chosen'}
  </span>
);

/** Returns that channels only write files, so that nobody is notified; null: one of them notifies somebody. */
export function onlyFilesWords(ids: readonly string[], channels: readonly Channel[]): string | null {
  const files = channels.filter((channel) => ids.includes(channel.id) && !canNotify(channel));
  if (files.length < ids.length) return null;
  const writes = files.length === 1 ? 'writes a file' : 'write files';
  return `Notifies nobody: ${channelNames(ids, channels)} only ${writes}`;
}

interface NotifiedProps {
  rule: Pick<Rule, 'channelIds'>;
  watch: Pick<Watch, 'channelIds'> | null;
  channels: readonly Channel[];
  /** What stands before the names. @default nothing */
  lead?: string;
}

/** Whom an alert notifies, in a list; marked if that is nobody. */
export function Notified({ rule, watch, channels, lead = '' }: NotifiedProps) {
  const notified = notifiedChannels(rule, watch, channels);
  if (notified.length === 0) return <NotifiesNobody off={offChannels(rule, watch, channels)} />;
  const files = onlyFilesWords(notified, channels);
  if (files === null) return <span>{`${lead}${channelNames(notified, channels)}`}</span>;
  return (
    <span class="rose" data-notifies="files">
      {files}
    </span>
  );
}

/** Returns the channels of a rule that are off: its own, else those of its watch. */
const offChannels = (
  rule: Pick<Rule, 'channelIds'>,
  watch: Pick<Watch, 'channelIds'> | null,
  channels: readonly Channel[],
): Channel[] => {
  const own = rule.channelIds.length > 0 ? rule.channelIds : (watch?.channelIds ?? []);
  return channels.filter(({ id, offReason }) => own.includes(id) && offReason !== null);
};

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
      The new alert would notify nobody: {channels.length === 0 ? none : chooseOne(channels, hint)}.
    </p>
  );
}
