import { expect, it } from 'vitest';
import { channelKinds, channelRegistry } from '../../src/watches/channels/kinds/registry.ts';
import type { ChannelKind } from '../../web/core/api.ts';
import {
  changedConfig,
  listedSecret,
  listedTarget,
  secretNames,
  secretWords,
  shownFields,
} from '../../web/watches/channel-fields.tsx';

const field = { label: '', placeholder: '', choices: null, several: false, required: true };
const kind: Pick<ChannelKind, 'fields'> = {
  fields: [
    { ...field, name: 'to', several: true },
    { ...field, name: 'from', required: false },
  ],
};

it('a channel that is changed begins with what it has, and keeps what has no field', () => {
  const config = { to: ['a@example.org', 'b@example.org'], from: 'c@example.org', format: 'html' };
  const shown = shownFields(kind, config);
  expect(shown).toEqual({ to: 'a@example.org, b@example.org', from: 'c@example.org' });
  expect(changedConfig(kind, config, shown)).toBeUndefined();
  expect(changedConfig(kind, config, { to: 'd@example.org', from: '' })).toEqual({
    ...{ to: 'd@example.org', format: 'html' },
  });
  expect(shownFields(kind, {})).toEqual({ to: '', from: '' });
});

it('the hint of a secret address stands for it as long as it is not changed', () => {
  const url = { fields: [{ ...field, name: 'url' }] };
  const config = { url: 'https://hooks.example/…abcd' };
  expect(changedConfig(url, config, shownFields(url, config))).toBeUndefined();
  // A topic that is kept apart belongs to its address.
  const topic = { url: 'https://ntfy.sh/', topic: '…opic' };
  expect(shownFields(url, topic)).toEqual({ url: 'https://ntfy.sh/…opic' });
  expect(changedConfig(url, topic, shownFields(url, topic))).toBeUndefined();
  expect(changedConfig(url, topic, { url: 'https://ntfy.sh/other' })).toEqual({
    url: 'https://ntfy.sh/other',
  });
});

it('a secret of a channel that is changed says whether it can be kept', () => {
  const key = 'signing key (leave empty to have one made)';
  expect(secretWords(key, true)).toBe('signing key (leave empty to keep it)');
  expect(secretWords(key, false)).toBe('signing key');
});

it('the list of channels calls a secret what its form calls it', () => {
  expect(listedSecret({ kind: 'webhook', secretSet: true })).toBe('signing key');
  expect(listedSecret({ kind: 'webhook', secretSet: false })).toBe('none');
  for (const kind of channelKinds) {
    const meaning = channelRegistry[kind].secret?.meaning ?? null;
    const name = secretNames[kind];
    expect(name === null ? meaning : meaning?.includes(name), kind).toBe(name === null ? null : true);
  }
});

it('a channel that writes files is listed with its folder and its format, in words without a setting', () => {
  const listed = (config: Record<string, unknown>) => listedTarget({ kind: 'file', config });
  expect(listed({ path: 'alerts', format: 'md' })).toBe('reports/alerts, md');
  expect(listed({ format: 'html' })).toBe('reports, html');
  expect(listedTarget({ kind: 'email', config: { to: ['a@example.org', 'b@example.org'] } })).toBe(
    'a@example.org, b@example.org',
  );
  expect(channelRegistry.file.fields.path?.label).toBe('Folder in “reports” of Offerbook’s data');
});
