import { describe, expect, it } from 'vitest';
import { priceOf, suggestedPrice } from '../../web/watches/suggested-price.ts';

describe('the suggested price of an alert', () => {
  it.each([
    [2.32, '2.20'],
    [0.305, '0.28'],
    [0.0123, '0.011'],
    [0.00031, '0.00029'],
    [14, '13.00'],
    [250, '230.00'],
    [null, ''],
    [0, ''],
  ])('is round and a little under the value now: %s gives %s', (value, text) => {
    expect(suggestedPrice(value)).toBe(text);
    if (value !== null && value > 0) expect(Number(text)).toBeLessThan(value);
  });

  it.each([
    ['2.00', 2],
    [' $1.5 ', 1.5],
    ['', null],
    ['0', null],
    ['-1', null],
    ['two', null],
  ])('is read from what the reader types: %s', (text, price) => {
    expect(priceOf(text)).toBe(price);
  });
});
