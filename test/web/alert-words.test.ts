import { expect, it } from 'vitest';
import { freeName } from '../../web/watches/channel-fields.tsx';
import { gpuCountWords } from '../../web/watches/gpu-counts.tsx';
import { amountInMetric, baselineName, baselineWithUnit } from '../../web/watches/metric-words.ts';
import { valueNameOf } from '../../web/watches/rule-kinds.ts';
import { addedWords, changedWords, failedWords, refusedWords } from '../../web/watches/test-channel.ts';

it('an alert says offers of how many GPUs count', () => {
  expect(gpuCountWords(new URLSearchParams())).toContain(
    'any number of GPUs count, and each is rented whole',
  );
  expect(gpuCountWords(new URLSearchParams('numGpus=1'))).toBe('Only offers of 1 GPU count.');
  expect(gpuCountWords(new URLSearchParams('numGpus=1&numGpus=4'))).toBe('Only offers of 1 or 4 GPUs count.');
});

it('what an alert compares has a name: a price is never a value', () => {
  const nameOf = (kind: string, params = {}) => valueNameOf({ kind: kind as 'priceBelow', params });
  expect(nameOf('priceBelow', { usd: 1 })).toBe('Lowest price');
  expect(nameOf('changePercent', { percent: 10 })).toBe('Lowest price');
  expect(nameOf('priceBelow', { usd: 1, perListing: true })).toBe('Price');
  expect(nameOf('supplyBelow', { offers: 5 })).toBe('Value');
});

it('a limit is named so and shown as it was typed, what was before is a baseline', () => {
  expect(['priceBelow', 'supplyBelow', 'changePercent'].map(baselineName)).toEqual([
    'Limit',
    'Limit',
    'Baseline',
  ]);
  expect(baselineWithUnit('priceBelow', 2, 'USD/GPU/hour')).toBe('$2.00/GPU-hour');
  expect(baselineWithUnit('priceBelow', 0.0375, 'USD/GPU/hour')).toBe('$0.0375/GPU-hour');
  expect([2, 0.3, 1e-7].map((usd) => amountInMetric(usd, 'usdPerGpuHour'))).toEqual([
    '$2.00/GPU-hour',
    '$0.30/GPU-hour',
    '$0.0000001/GPU-hour',
  ]);
  expect(baselineWithUnit('changePercent', 2, 'USD/GPU/hour')).toBe('$2.0000/GPU-hour');
  expect(baselineWithUnit('percentileBelow', 10, 'USD/GPU/hour')).toBe('cheapest 10%');
});

it('a channel that was added but is sent nothing says so and why, as does a refused test', () => {
  expect(addedWords({ name: 'ops', offReason: null })).toBe('ops added. Send a test message to check it.');
  expect(addedWords({ name: 'ops', offReason: 'its address is private' })).toEqual({
    warning: 'ops added, but nothing is sent to it: its address is private.',
  });
  expect(changedWords({ name: 'ops', offReason: null }, false)).toBe(
    'ops changed. Send a test message to check it.',
  );
  expect(changedWords({ name: 'ops', offReason: null }, true)).toBe('ops saved.');
  expect(changedWords({ name: 'ops', offReason: 'it is gone' }, true)).toEqual({
    warning: 'ops saved, but nothing is sent to it: it is gone.',
  });
  const [problem, failed] = ['the address does not exist', 'The test message to ops failed'];
  expect(refusedWords('ops', problem, true)).toBe(
    `${failed}: ${problem}. Correct it under Watches, in its row of Channels.`,
  );
  expect(refusedWords('ops', problem, false)).toBe(`${failed}: ${problem}. Ask an admin to correct it.`);
});

it('what a setting corrects is not corrected under Watches', () => {
  const problem = 'the address is private; to allow it, set WEBHOOK_ALLOW_PRIVATE=on and start again';
  expect(refusedWords('ops', problem, true)).toBe(failedWords('ops', problem));
  expect(refusedWords('ops', 'stored under another SECRETS_KEY: enter it again', true)).toContain(
    'Correct it under Watches',
  );
});

it('the name of a new channel is not taken, as far as it is known', () => {
  expect(freeName('webhook', [])).toBe('webhook');
  expect(freeName('webhook', ['webhook', 'email', 'webhook 2'])).toBe('webhook 3');
});
