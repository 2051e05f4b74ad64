import { expect, it } from 'vitest';
import { detailWords, doneWords, whoWords } from '../../web/service/detail-words.ts';

it('lists what is known of an entry in words, amounts to 6 decimals', () => {
  const detail = { way: 'token', address: '203.0.113.7', usdPerHour: '0.053555555555555555556', label: null };
  expect(detailWords(detail)).toBe('way token, address 203.0.113.7, $/hour 0.053555');
  const request = {
    offerId: 7,
    diskGb: 16,
    image: 'ubuntu:24.04',
    profile: { runningHours: 64 },
    channels: ['a', 'b'],
  };
  expect(detailWords({ offerId: 7, request })).toBe(
    'offer id 7, disk GB 16, image ubuntu:24.04, running hours 64, channels a, b',
  );
  expect(detailWords({})).toBe('');
});

it('says who did what', () => {
  expect(['session', 'login link', 'ada'].map(whoWords)).toEqual(['On the page', 'On the page', 'ada']);
  expect(doneWords('create-token')).toBe('Create token');
});
