import { describe, expect, it } from 'vitest';
import { spendGroupName } from '../../web/core/market-words.ts';

describe('the name of a spend group', () => {
  it('is readable if the market has a code for it', () => {
    expect(spendGroupName('type', 'bwd')).toBe('Download');
    expect(spendGroupName('service', 'cardproc_payments')).toBe('Card payment');
  });

  it("is the user's text if the group is a label", () => {
    expect(spendGroupName('label', 'disk')).toBe('disk');
  });

  it("is the market's word if it has no name here, including names of object properties", () => {
    expect(spendGroupName('service', 'newpay_b')).toBe('newpay_b');
    expect(spendGroupName('type', 'constructor')).toBe('constructor');
  });

  it('is shown as missing if the market states none', () => {
    expect(spendGroupName('service', null)).toBe('not stated');
    expect(spendGroupName('service', '')).toBe('not stated');
    // A payment is for no instance.
    expect(spendGroupName('instance', null)).toBe('no instance');
    expect(spendGroupName('costCenter', null)).toBe('no cost center');
  });
});
