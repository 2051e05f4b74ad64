import { expect, it } from 'vitest';
import { detailWords } from '../../web/service/detail-words.ts';

it('lists what is known of an entry, amounts to 6 decimals', () => {
  const detail = { way: 'token', address: '203.0.113.7', usdPerHour: '0.053555555555555555556', label: null };
  expect(detailWords(detail)).toBe('way: token, address: 203.0.113.7, usdPerHour: 0.053555');
});
