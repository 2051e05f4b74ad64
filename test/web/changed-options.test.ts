import { expect, it } from 'vitest';
import { changedOptions, firstOptions, optionsOf } from '../../web/watches/rule-options.tsx';

const plain = {
  of: { m: 1, n: 1 },
  cooldownMinutes: 0,
  hysteresisPercent: 0,
  dailyCap: null,
  rearm: 'leave' as const,
  quietHours: null,
  digest: null,
};
const full = {
  of: { m: 2, n: 3 },
  cooldownMinutes: 60,
  hysteresisPercent: 5,
  dailyCap: 4,
  rearm: { afterMinutes: 90 },
  quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' },
  digest: { cron: '0 8 * * *', timeZone: 'Europe/Berlin' },
};

it('the options of a saved alert are filled in and saved as they were, in their own time zone', () => {
  expect(optionsOf(plain)).toEqual(firstOptions);
  expect(changedOptions(optionsOf(plain), plain, 'America/New_York')).toEqual(plain);
  expect(changedOptions(optionsOf(full), full, 'America/New_York')).toEqual(full);
});

it('what is emptied of a saved alert is as by default, and new times are those of the reader', () => {
  expect(changedOptions(firstOptions, full, 'America/New_York')).toEqual(plain);
  const quiet = { ...firstOptions, quietFrom: '23:00', quietTo: '06:00' };
  expect(changedOptions(quiet, plain, 'America/New_York').quietHours).toEqual({
    from: '23:00',
    to: '06:00',
    timeZone: 'America/New_York',
  });
});
