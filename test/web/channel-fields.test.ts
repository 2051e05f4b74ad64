import { expect, it } from 'vitest';
import type { ChannelKind } from '../../web/core/api.ts';
import { changedConfig, shownFields } from '../../web/watches/channel-fields.tsx';

const field = { label: '', placeholder: '', several: false, required: true };
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
  expect(changedConfig(kind, config, shown)).toEqual(config);
  expect(changedConfig(kind, config, { to: 'd@example.org', from: '' })).toEqual({
    ...{ to: 'd@example.org', format: 'html' },
  });
  expect(shownFields(kind, {})).toEqual({ to: '', from: '' });
});

it('the hint of a secret address stands for it as long as it is not changed', () => {
  const url = { fields: [{ ...field, name: 'url' }] };
  const config = { url: 'https://hooks.example/…abcd' };
  expect(changedConfig(url, config, shownFields(url, config))).toEqual(config);
});
