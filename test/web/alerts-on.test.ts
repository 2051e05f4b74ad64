import { expect, it } from 'vitest';
import { refusal } from '../../src/core/outgoing/address-guard.ts';
import type { AlertSubject } from '../../web/core/alert-subject.ts';
import type { Channel, Delivery, Rule, Status, StoredMarket, Watch } from '../../web/core/api.ts';
import type { App } from '../../web/core/app.ts';
import { alertsOn, equalPriceAlert, type KnownAlerts, withSaved } from '../../web/watches/alerts-on.ts';
import { notifiedWords, startingChannels } from '../../web/watches/chosen-channels.ts';
import { eventKindsOf } from '../../web/watches/event-kinds.ts';
import { firesAgainWords } from '../../web/watches/fires-again.ts';
import { noChannelWords, unheardOfWatch } from '../../web/watches/notifies-nobody.tsx';
import { isPrivateAddress } from '../../web/watches/private-address.ts';
import { countedOffers, reliableSubject } from '../../web/watches/reliable-subject.ts';
import { triggerInWords } from '../../web/watches/rule-kinds.ts';
import { sentWords, withoutOff } from '../../web/watches/sent-words.ts';
import { subjectToChange } from '../../web/watches/subject-to-change.ts';
import { undeliveredOf } from '../../web/watches/undelivered.ts';

const profile = { storageGb: 8, downGb: 0, upGb: 0, runningHours: 720, stoppedHours: 0 };
const watch = (id: string, filters: Watch['filters'], more: Partial<Watch> = {}) =>
  ({ id, filters, profile, markets: ['home'], ...more }) as Watch;
const rule = (id: string, watchId: string | null, params = {}) =>
  ({ id, watchId, kind: watchId === null ? 'budget' : 'priceBelow', params }) as Rule;
const market = (name: string, isDefault: boolean) =>
  ({ name, isDefault, newestBooks: [{}] }) as unknown as StoredMarket;

const known: KnownAlerts = {
  watches: [
    watch('model', { gpuName: ['H100 SXM'] }),
    watch('bids', { gpuName: ['H100 SXM'], type: ['bid'] }),
    watch('both', { type: ['on-demand', 'bid'], gpuName: ['RTX 4090', 'H100 SXM'], minVramGb: 24 }),
    watch('disk', { gpuName: ['H100 SXM'] }, { profile: { ...profile, storageGb: 50 } }),
    watch('abroad', { gpuName: ['H100 SXM'] }, { markets: ['abroad', 'home'] }),
  ],
  rules: ['model', 'model', 'bids', 'both', 'disk', 'abroad']
    .map((id, place) => rule(`${id} ${place}`, id))
    .concat(rule('spent', null, { budgetId: 'b1' })),
  markets: [market('home', true), market('abroad', false)],
};
const on = (query: string) =>
  alertsOn(known, { kind: 'offers', name: '', query: new URLSearchParams(query) }).map(({ id }) => id);

it.each([
  ['gpuName=H100+SXM', ['model 0', 'model 1']],
  ['gpuName=H100+SXM&type=on-demand&storageGb=8&market=home&range=7d', ['model 0', 'model 1']],
  ['gpuName=H100+SXM&type=bid', ['bids 2']],
  ['minVramGb=24&gpuName=H100+SXM&gpuName=RTX+4090&type=bid&type=on-demand', ['both 3']],
  ['gpuName=H100+SXM&storageGb=50', ['disk 4']],
  ['gpuName=H100+SXM&market=home&market=abroad', ['abroad 5']],
  ['gpuName=H100+SXM&market=abroad', []],
  ['gpuName=H100+SXM&minVramGb=24', []],
  ['', []],
])('the offers of %s have the alerts of exactly these offers', (query, ids) => {
  expect(on(query)).toEqual(ids);
});

it('an alert at the same price of the same metric is found, but not the one that is changed', () => {
  const rules = [
    rule('per GPU', 'model', { usd: 2 }),
    rule('whole', 'model', { usd: 3, metric: 'usdPerHour' }),
    rule('each', 'model', { usd: 4, perListing: true }),
  ];
  const found = (usd: number | null, metric = 'usdPerGpuHour', changed: Rule | null = null) =>
    equalPriceAlert(rules, { metric, usd }, changed)?.id;
  expect(found(2)).toBe('per GPU');
  expect(found(2, 'usdPerGpuHour', rules[0])).toBeUndefined();
  expect(found(2, 'usdPerGpuHour', rules[1])).toBe('per GPU');
  expect([found(2, 'usdPerHour'), found(3, 'usdPerHour')]).toEqual([undefined, 'whole']);
  expect([found(4), found(null)]).toEqual([undefined, undefined]);
});

it('an alert from Market is on reliable offers at first, where its market states what they are', () => {
  const app = (trust: string[]) =>
    ({ markets: { value: [] }, status: { state: { value: { data: { trust } } } } }) as unknown as App;
  const subject: AlertSubject = { kind: 'offers', name: '', query: new URLSearchParams('gpuName=B200') };
  const asking = { ...subject, asksReliable: true };
  const found = reliableSubject(app(['verification', 'reliability']), asking);
  expect(`${found?.query}`).toBe('gpuName=B200&verification=verified&minReliability=0.98');
  expect(reliableSubject(app([]), asking)).toBeNull();
  expect(reliableSubject(app(['verification']), subject)).toBeNull();
});

it('an alert from Deals says reliable offers if only they count, and names every other filter', () => {
  const app = {
    markets: { value: [] },
    status: { state: { value: { data: { trust: ['verification', 'reliability'] } } } },
  };
  const counted = (query: string) =>
    Object.values(countedOffers(app as unknown as App, new URLSearchParams(`gpuName=B200${query}`)));
  const reliable = '&verification=verified&minReliability=0.98';
  const leftOut = 'left out are those not verified or under 98% reliability.';
  expect(counted(reliable)).toEqual(['reliable offers', `Only reliable offers count; ${leftOut}`]);
  expect(counted(`${reliable}&minVramGb=24`)).toEqual([
    'matching reliable offers',
    `Only reliable offers that match your filters count (min VRAM 24 GB); ${leftOut}`,
  ]);
  expect(counted('&verification=verified&minReliability=0.99')).toEqual([
    'matching offers',
    'Only offers that match your filters count: verified; min reliability 99%.',
  ]);
  expect(counted('')).toEqual(['all offers', 'Every rentable offer counts, except outlier prices.']);
});

it('a budget has its own alerts', () => {
  const budget = (budgetId: string): AlertSubject => ({
    ...{ kind: 'budget', name: '', budgetId, monthlyUsd: '1', share: 0, spentUsd: null },
  });
  expect(alertsOn(known, budget('b1')).map(({ id }) => id)).toEqual(['spent']);
  expect(alertsOn(known, budget('b2'))).toEqual([]);
});

it('says what became of an alert by its deliveries: a channel that refused it was not sent it', () => {
  const made = (channel: string, state: Delivery['state'], problem: string | null = null) => ({
    ...{ channel, state, problem },
  });
  const said = (
    suppressed: string | null,
    heldUntil: string | null,
    ...deliveries: ReturnType<typeof made>[]
  ) => sentWords({ suppressed, heldUntil, deliveries }, Date.parse('2026-07-01T07:00:00Z'));
  expect(said(null, null, made('hook', 'refused', 'it is off'))).toBe('not delivered to hook (it is off)');
  // Why a channel is off is said beside it.
  const off = [
    { name: 'hook', offReason: 'it is gone' },
    { name: 'pager', offReason: null },
  ];
  const both = [made('hook', 'refused', 'it is gone'), made('pager', 'failed', 'HTTP 500')];
  expect(said(null, null, ...withoutOff(both, off))).toBe(
    'not delivered to hook; not delivered to pager (HTTP 500)',
  );
  expect(
    said(
      null,
      null,
      made('a', 'sent'),
      made('b', 'queued', 'HTTP 503'),
      made('c', 'sent'),
      made('d', 'failed'),
    ),
  ).toBe('delivered to a, c; waiting for b (HTTP 503); not delivered to d');
  expect(said(null, '2026-07-01T08:00:00Z')).toMatch(/^waiting until .*2026/);
  expect([
    said(null, '2026-07-01T07:00:00Z'),
    said('no-channel', null),
    said('daily-cap', null),
    said(null, null),
  ]).toEqual([
    'waiting',
    'sent to nobody: it had no channel',
    'sent to nobody: daily cap',
    'its delivery is no longer kept',
  ]);
});

it('an alert that has fired at its limit says when it fires again, at another limit nothing', () => {
  const rule = {
    ...{ params: { usd: 2 }, of: { m: 1, n: 1 }, hysteresisPercent: 0, rearm: 'leave' as const },
  };
  const last = { at: '2026-07-01T08:00:00Z', baseline: 2 };
  expect(firesAgainWords(rule, last)).toMatch(
    /^It fired on .*2026.* and fires again only after the price has been at or above \$2\.00\/GPU-hour, or the alert has been switched off and on\.$/,
  );
  const slow = { ...rule, of: { m: 2, n: 3 }, hysteresisPercent: 5 };
  expect(firesAgainWords(slow, last)).toMatch(
    /at or above \$2\.10\/GPU-hour in 3 books in a row, or the alert has/,
  );
  expect(firesAgainWords({ ...rule, rearm: 'never' }, last)).toMatch(/ and does not fire again\.$/);
  expect(firesAgainWords({ ...rule, rearm: { afterMinutes: 60 } }, last)).toMatch(
    / and fires again 60 minutes later at the earliest\.$/,
  );
  expect([firesAgainWords(rule, null), firesAgainWords(rule, { ...last, baseline: 1.9 })]).toEqual([
    null,
    null,
  ]);
});

it('a saved alert says whom it notifies, and whether the newest delivery or test of each channel arrived', () => {
  const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
  const now = Date.parse('2026-07-01T08:00:00Z');
  const last = (state: 'sent' | 'refused', minutes: number) => ({
    ...{ state, title: 'H100 below $2', endedAt: minutesAgo(minutes), problem: null },
  });
  const channels = [
    { id: 'a', name: 'tested', lastDelivery: last('refused', 9) },
    { id: 'b', name: 'failing', lastDelivery: null },
    { id: 'c', name: 'new', lastDelivery: null },
    { id: 'd', name: 'sent', lastDelivery: last('sent', 4) },
    { id: 'e', name: 'refused', lastDelivery: last('refused', 4) },
    { id: 'f', name: 'gone', lastDelivery: last('sent', 4), offReason: 'the receiver is gone' },
  ].map((channel) => ({ offReason: null, kind: 'webhook' as const, config: {}, ...channel }));
  const tests = {
    a: { at: minutesAgo(5), isSent: true },
    b: { at: minutesAgo(6), isSent: false },
    d: { at: minutesAgo(5), isSent: false },
  };
  expect(notifiedWords(channels, tests, now)).toBe(
    'It notifies tested (webhook, last tested 5 min ago), new (webhook, not tested from this browser yet), ' +
      'sent (webhook, last delivery arrived 4 min ago). It may not reach failing (webhook, the last test failed ' +
      '6 min ago), refused (webhook, last delivery refused 4 min ago). Nothing is sent to gone while it is off (the receiver is gone).',
  );
});

it('offers to send again what a channel did not deliver, the oldest first, and nothing before a sent one', () => {
  const now = Date.parse('2026-07-10T08:00:00Z');
  const made = (id: string, state: Delivery['state'], at: string, endedAt: string | null = at) => ({
    ...{ id, state, createdAt: at, endedAt },
  });
  const newestFirst = [
    made('queued', 'queued', '2026-07-10T07:00:00Z', null),
    made('new', 'refused', '2026-07-10T06:00:00Z'),
    made('late', 'failed', '2026-07-08T01:00:00Z', '2026-07-09T01:00:00Z'),
    made('sent', 'sent', '2026-07-08T02:00:00Z'),
    made('before', 'refused', '2026-07-07T00:00:00Z'),
    made('old', 'failed', '2026-07-01T00:00:00Z'),
  ];
  expect(undeliveredOf(newestFirst, now)).toEqual(['late', 'new']);
  expect(undeliveredOf(newestFirst.slice(4), now)).toEqual(['before']);
});

it('a new rule starts with a channel that exists, unless those of its watch are notified', () => {
  const channels = [
    { id: 'off', offReason: 'it is gone' },
    { id: 'a', offReason: null },
  ] as unknown as Channel[];
  const window = { localStorage: { getItem: () => null } } as unknown as Window;
  const start = (watch: Pick<Watch, 'channelIds'> | null, known = channels) =>
    startingChannels(window, watch, known);
  expect(start(null)).toEqual(['a']);
  expect(start({ channelIds: [] })).toEqual(['a']);
  expect(start({ channelIds: ['off'] })).toEqual(['a']);
  expect(start({ channelIds: ['a'] })).toEqual([]);
  expect(start(null, [])).toEqual([]);
});

it('a watch says which of its report and alerts notify nobody, and nothing of a report that is off', () => {
  const channels = [
    { id: 'c', offReason: null },
    { id: 'off', offReason: 'it is gone' },
  ] as unknown as Channel[];
  const heard = { channelIds: ['c'] };
  const unheard = { channelIds: [] };
  const said = (rules: { channelIds: string[] }[], channelIds: string[], hasReport: boolean) =>
    unheardOfWatch(rules, { channelIds, hasReport }, channels);
  expect([said([unheard], ['c'], true), said([heard], [], false), said([], [], false)]).toEqual([
    null,
    null,
    null,
  ]);
  expect(said([heard], [], true)).toBe('Its report notifies nobody: choose a channel.');
  expect(said([unheard], ['off'], false)).toBe('Its alerts notify nobody: choose a channel.');
  expect(said([unheard], [], true)).toBe('Its report and its alerts notify nobody: choose a channel.');
  expect(said([heard, unheard], [], false)).toBe('1 of its 2 alerts notifies nobody: choose a channel.');
  expect(said([heard, unheard, unheard], [], true)).toBe(
    'Its report and 2 of its 3 alerts notify nobody: choose a channel.',
  );
  expect(unheardOfWatch([unheard], { channelIds: [], hasReport: false }, channels.slice(1))).toBe(
    'Its alerts notify nobody: every channel is off (the list of channels says why). Add another one.',
  );
});

it('an alert without a channel says whom its watch notifies, else what to do; of channels that are off also why', () => {
  const on = { id: 'c', name: 'ops', kind: 'webhook' as const, offReason: null };
  const off = { ...on, id: 'off', name: 'pager', offReason: 'it is gone' };
  const watch = { name: 'H100', channelIds: ['c'] };
  const mayNot = 'Ask an operator.';
  expect(noChannelWords([on, off], watch, null)).toBe(
    'Notifies the channels of the watch H100: ops (webhook).',
  );
  expect(noChannelWords([], null, null)).toBe('Notifies nobody: there is no channel yet. Add one here.');
  expect(noChannelWords([], null, mayNot)).toBe('Notifies nobody: there is no channel yet. Ask an operator.');
  expect(noChannelWords([on, off], null, null)).toBe('Notifies nobody: choose a channel.');
  expect(noChannelWords([off], null, null)).toBe(
    'Notifies nobody: pager is off (it is gone). Choose the channel and send a test, which switches it on if it arrives. Or add another channel.',
  );
  expect(noChannelWords([off, { ...off, name: 'chat' }], watch, mayNot)).toBe(
    'Notifies nobody: pager is off (it is gone), chat is off (it is gone). Choose a channel and send a test, which switches it on if it arrives.',
  );
  const hook = { ...off, name: 'hook', offReason: refusal('localhost').message };
  expect(noChannelWords([hook], null, mayNot)).toBe(
    'Notifies nobody: hook is off (the address localhost is not on the public internet). First set WEBHOOK_ALLOW_PRIVATE=on and start Offerbook again. Then choose the channel and send a test, which switches it on if it arrives.',
  );
  expect(noChannelWords([hook, off], null, mayNot)).toBe(
    'Notifies nobody: hook is off (the address localhost is not on the public internet; to allow it, set WEBHOOK_ALLOW_PRIVATE=on and start Offerbook again), pager is off (it is gone). Choose a channel and send a test, which switches it on if it arrives.',
  );
});

it('a trigger condition is words of a condition, not a count of what happened', () => {
  const words = [
    { m: 1, n: 1 },
    { m: 2, n: 2 },
    { m: 2, n: 3 },
  ].map(triggerInWords);
  expect(words).toEqual(['one book', '2 books in a row', 'any 2 of 3 books in a row']);
});

it('only price alerts of a watch that is known have a price to change', () => {
  const watches = [
    { id: 'w', name: 'Cheap', markets: ['vast'], filters: { gpuName: ['H100'] }, profile: {} },
  ];
  const subject = (rule: object) => subjectToChange(rule as Rule, watches as unknown as Watch[]);
  const rule = { id: 'r', watchId: 'w', kind: 'priceBelow' };
  expect(subject(rule)).toMatchObject({ kind: 'offers', name: 'Cheap', changed: { id: 'r' } });
  expect(String((subject(rule) as { query: URLSearchParams }).query)).toBe('market=vast&gpuName=H100');
  expect([subject({ ...rule, kind: 'backInStock' }), subject({ ...rule, watchId: 'x' })]).toEqual([
    null,
    null,
  ]);
});

it('alerts without a watch are offered where they can fire', () => {
  const kindsAt = (mode: Status['mode'], account: boolean) =>
    eventKindsOf({ mode, capabilities: { account } } as unknown as Status);
  expect(kindsAt('replay', true)).toEqual({ missing: expect.stringMatching(/^Recorded market: /) });
  const [offersOnly, whole] = [kindsAt('live', false), kindsAt('live', true)].map((each) =>
    'kinds' in each ? Object.keys(each.kinds) : [],
  );
  expect(offersOnly).toEqual(['dataAge', 'crawlPartial', 'delivery']);
  expect(whole).toEqual(expect.arrayContaining(['burnAbove', 'budget', 'instanceState', 'delivery']));
});

it('an address of this machine or a private network is known as it is typed', () => {
  const known = [
    ...['http://127.0.0.1:8398/hook', 'https://localhost/x', ' http://10.1.2.3', 'http://192.168.0.9:1'],
    ...[
      'http://172.16.0.1',
      'http://172.31.9.9',
      'http://[::1]:80/',
      'http://[fd00::1]/',
      'http://nas.local/x',
    ],
    ...['http://169.254.1.1', 'http://100.64.0.1'],
  ];
  const others = [
    ...['', 'http:', 'http://', '127.0.0.1', 'https://hooks.example/127.0.0.1', 'http://172.32.0.1'],
    ...['http://100.128.0.1', 'http://11.0.0.1', 'https://local.example', 'ftp://127.0.0.1'],
  ];
  expect(known.filter((each) => !isPrivateAddress(each))).toEqual([]);
  expect(others.filter(isPrivateAddress)).toEqual([]);
});

it('an alert that was just saved is listed at once, and once', () => {
  const [before, saved] = [{ id: 'a' }, { id: 'b' }] as Rule[];
  if (before === undefined || saved === undefined) throw new Error('two rules');
  expect(withSaved([before], null)).toEqual([before]);
  expect(withSaved([before], saved)).toEqual([before, saved]);
  expect(withSaved([before, saved], saved)).toEqual([before, saved]);
});
