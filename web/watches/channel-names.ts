import type { Channel } from '../core/api.ts';

/** What a channel is called and where it sends. */
export type NamedChannel = Pick<Channel, 'name' | 'kind' | 'config'>;

/** What each kind of channel is called after a name. */
export const kindWords: Readonly<Record<Channel['kind'], string>> = {
  browser: 'browser',
  email: 'e-mail',
  ntfy: 'ntfy',
  slack: 'Slack',
  discord: 'Discord',
  telegram: 'Telegram',
  webhook: 'webhook',
  file: 'file',
};

/** Returns a channel's name with its kind, if the name does not say it, and what else is to say: `Reports (file, off)`. */
export function channelLabel(
  { name, kind }: Pick<Channel, 'name' | 'kind'>,
  also: readonly string[] = [],
): string {
  const saysKind = new RegExp(`\\b(${kindWords[kind]}|${kind})s?\\b`, 'i').test(name);
  const marks = saysKind ? also : [kindWords[kind], ...also];
  return marks.length === 0 ? name : `${name} (${marks.join(', ')})`;
}

/** Whether a channel notifies somebody: one of files only writes them. */
export const canNotify = ({ kind }: Pick<Channel, 'kind'>): boolean => kind !== 'file';

/** Returns the folder into which a channel of files writes, `reports/alerts`. */
export const folderOf = ({ config }: Pick<Channel, 'config'>): string =>
  ['reports', ...[config.path ?? []].flat()].join('/');

/** Returns where the files of a channel are. */
export const placeOfFiles = (channel: Pick<Channel, 'config'>): string =>
  `the folder ${folderOf(channel)} of Offerbook’s data directory`;

/**
 * Returns what an alert only writes to files, and that nobody is notified if no other channel is chosen; null: no channel of
 * files is chosen.
 */
export function filesOnlyWords(chosen: readonly NamedChannel[]): string | null {
  const files = chosen.filter((channel) => !canNotify(channel));
  const [first] = files;
  if (first === undefined) return null;
  const folders = [...new Set(files.map(folderOf))];
  const where =
    folders.length === 1
      ? `in ${placeOfFiles(first)}`
      : `in the folders ${folders.join(' and ')} of Offerbook’s data directory`;
  if (files.length === chosen.length)
    return `Nobody is notified: each message is only written to a file, ${where}.`;
  const names = files.map(({ name }) => name).join(' and ');
  return `${names} only ${files.length === 1 ? 'writes' : 'write'} files, ${where}.`;
}
