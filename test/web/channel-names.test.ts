import { expect, it } from 'vitest';
import { channelKinds } from '../../src/watches/channels/kinds/registry.ts';
import type { Channel } from '../../web/core/api.ts';
import { channelLabel, filesOnlyWords, kindWords } from '../../web/watches/channel-names.ts';
import { channelOptions, firstChannels, notifiedWords } from '../../web/watches/chosen-channels.ts';
import { noChannelWords, onlyFilesWords } from '../../web/watches/notifies-nobody.tsx';
import { arrivedWords } from '../../web/watches/sent-words.ts';
import { acceptedWords } from '../../web/watches/test-channel.ts';

const channel = (name: string, kind: Channel['kind'], config: Record<string, unknown> = {}): Channel =>
  ({ ...{ id: name, name, kind, config, offReason: null, lastDelivery: null } }) as unknown as Channel;

const reports = channel('Reports', 'file', { path: 'pictures', format: 'html' });
const pager = channel('pager', 'webhook');
const place = 'the folder reports/pictures of Offerbook’s data directory';

it('a channel is named with its kind, unless its name says it', () => {
  expect(Object.keys(kindWords).toSorted()).toEqual([...channelKinds].toSorted());
  for (const kind of channelKinds) {
    expect(channelLabel({ name: 'Team', kind })).toBe(`Team (${kindWords[kind]})`);
    expect(channelLabel({ name: `${kind} 2`, kind })).toBe(`${kind} 2`);
  }
  expect(channelLabel({ name: 'Profile alerts', kind: 'file' })).toBe('Profile alerts (file)');
  expect(channelOptions([reports, { ...pager, offReason: 'it is gone' }]).map(({ label }) => label)).toEqual([
    'Reports (file)',
    'pager (webhook, off)',
  ]);
  expect(noChannelWords([reports], { name: 'H100', channelIds: ['Reports'] }, null)).toBe(
    'Notifies nobody: the watch H100 only writes files, by Reports.',
  );
});

it('a channel of files says that it notifies nobody, and where its files are', () => {
  expect(filesOnlyWords([pager])).toBeNull();
  expect(filesOnlyWords([reports])).toBe(
    `Nobody is notified: each message is only written to a file, in ${place}.`,
  );
  expect(filesOnlyWords([pager, reports])).toBe(`Reports only writes files, in ${place}.`);
  expect(filesOnlyWords([reports, channel('Notes', 'file')])).toBe(
    'Nobody is notified: each message is only written to a file, in the folders reports/pictures and reports of Offerbook’s data directory.',
  );
  expect(filesOnlyWords([reports, { ...reports, name: 'Same' }])).toContain(`, in ${place}.`);
  expect(acceptedWords(reports)).toBe(`Test message of Reports written to a file in ${place}.`);
  expect(acceptedWords(pager)).toBe('Test message sent to pager (webhook).');
  expect(notifiedWords([reports], {})).toBe(
    `It notifies nobody. Reports (file, not tested from this browser yet) writes each message into ${place}.`,
  );
  expect(notifiedWords([reports, pager], {})).toBe(
    `It notifies pager (webhook, not tested from this browser yet). Reports (file, not tested from this browser yet) writes each message into ${place}.`,
  );
});

it('a list of alerts says that channels of files notify nobody', () => {
  const notes = channel('Notes', 'file');
  expect(onlyFilesWords(['pager'], [pager, reports])).toBeNull();
  expect(onlyFilesWords(['pager', 'Reports'], [pager, reports])).toBeNull();
  expect(onlyFilesWords(['a new one'], [reports])).toBeNull();
  expect(onlyFilesWords(['Reports'], [pager, reports])).toBe(
    'Notifies nobody: Reports (file) only writes a file',
  );
  expect(onlyFilesWords(['Reports', 'Notes'], [reports, notes])).toBe(
    'Notifies nobody: Reports (file), Notes (file) only write files',
  );
  expect(arrivedWords(['Reports'], [pager, reports])).toBe('written to a file');
  expect(arrivedWords(['pager', 'Reports'], [pager, reports])).toBe('delivered to pager, written to a file');
  expect(arrivedWords(['gone'], [])).toBe('delivered to gone');
});

it('an alert starts with a channel that notifies somebody, if there is one', () => {
  const window = { localStorage: { getItem: () => null } } as unknown as Window;
  expect(firstChannels(window, [reports, pager])).toEqual(['pager']);
  expect(firstChannels(window, [reports])).toEqual(['Reports']);
  expect(firstChannels(window, [])).toEqual([]);
});
