import { describe, expect, it } from 'vitest';
import { spendGroupName } from '../../web/core/market-words.ts';

describe('the name of a spend group', () => {
  it('is readable where the market has a code for it', () => {
    expect(spendGroupName('type', 'bwd')).toBe('Download');
    expect(spendGroupName('service', 'cardproc_payments')).toBe('Card payment');
  });

  it('is what the user wrote where the group is a label', () => {
    expect(spendGroupName('label', 'disk')).toBe('disk');
  });

  it('is the market’s word where that has no name here, names of object properties included', () => {
    expect(spendGroupName('service', 'newpay_b')).toBe('newpay_b');
    expect(spendGroupName('type', 'constructor')).toBe('constructor');
  });

  it('says so where the market states none', () => {
    expect(spendGroupName('service', null)).toBe('not stated');
    expect(spendGroupName('service', '')).toBe('not stated');
  });
});
