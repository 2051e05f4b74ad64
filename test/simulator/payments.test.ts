import { describe, expect, it } from 'vitest';
import { bookOf, offer, openedS, openMarket, rent, rowsOf, type TestMarket } from './market-account.ts';

const everything = { when: { gte: 0, lte: 4_000_000_000 } };
const query = (values: Record<string, unknown>): string =>
  new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();
const invoices = (market: TestMarket, values: Record<string, unknown> = {}) =>
  market.call('GET', `/api/v1/invoices/?${query({ select_filters: everything, ...values })}`);
const idOf = (row: Record<string, unknown>) => (row.metadata as { invoice_id: number }).invoice_id;

/** All pages, by the paging parameter's name of a dialect. */
async function walk(
  page: (token: Record<string, string>) => ReturnType<TestMarket['call']>,
  parameter: string,
  between = () => {},
) {
  const rows: Record<string, unknown>[] = [];
  let token: unknown = null;
  do {
    const answer = await page(token === null ? {} : { [parameter]: String(token) });
    expect(answer.body).toMatchObject({ success: true, count: rowsOf(answer, 'results').length });
    rows.push(...rowsOf(answer, 'results'));
    token = answer.body.next_token;
    between();
  } while (token !== null);
  return rows;
}

describe('invoices', () => {
  it('list every payment, exactly, newest first', async () => {
    const market = await openMarket();
    market.simulator.addInvoice({
      amountUsd: '-0.3',
      at: new Date((openedS - 10) * 1000),
      service: 'transfer',
      type: 'transfer',
    });
    expect(await invoices(market)).toEqual({
      status: 200,
      body: {
        success: true,
        count: 2,
        total: 2,
        next_token: null,
        results: [
          {
            start: openedS,
            end: openedS,
            type: 'credit',
            source: 'cardproc_payments',
            description: 'Opening credit',
            amount: -100,
            metadata: { invoice_id: expect.any(Number), service: 'cardproc_payments' },
            items: [],
          },
          expect.objectContaining({ start: openedS - 10, amount: -0.3, type: 'transfer' }),
        ],
      },
    });
  });

  it.each(['next_token', 'after_token'])(
    'come in pages by %s that lose and repeat none while others arrive',
    async (name) => {
      const market = await openMarket({ pastPayments: 137 });
      const before = market.simulator.invoices().map(({ id }) => id);
      for (const order of [
        {},
        { latest_first: 'false' },
        { order_by: [{ col: 'amount_cents', dir: 'asc' }] },
      ]) {
        let added = 0;
        const rows = await walk(
          (token) => invoices(market, { limit: 10, ...order, ...token }),
          name,
          () => {
            added += 1;
            if (added < 4) market.simulator.addInvoice({ amountUsd: `-${added}.5` });
          },
        );
        const ids = rows.map(idOf);
        expect(new Set(ids).size).toBe(ids.length);
        expect(before.filter((id) => !ids.includes(id))).toEqual([]);
      }
    },
  );

  it('are sorted as requested, and the requested order wins over newest first', async () => {
    const market = await openMarket({ pastPayments: 40 });
    const column = async (values: Record<string, unknown>, read: (row: Record<string, unknown>) => unknown) =>
      rowsOf(await invoices(market, { limit: 1000, ...values }), 'results').map((row) => Number(read(row)));
    const starts = market.simulator.invoices().map(({ startS }) => startS);
    const ascending = starts.toSorted((a, b) => a - b);
    expect(await column({}, ({ start }) => start)).toEqual(ascending.toReversed());
    expect(await column({ latest_first: 'false' }, ({ start }) => start)).toEqual(ascending);
    const byWhen = { order_by: [{ col: 'when', dir: 'asc' }], latest_first: 'true' };
    expect(await column(byWhen, ({ start }) => start)).toEqual(ascending);
    const amounts = market.simulator.invoices().map(({ amountUsd }) => Number(amountUsd));
    const byAmount = { order_by: [{ col: 'amount_cents' }] };
    expect(await column(byAmount, ({ amount }) => amount)).toEqual(amounts.toSorted((a, b) => b - a));
  });

  it('are filtered by time and service', async () => {
    const market = await openMarket({ pastPayments: 40 });
    const truth = market.simulator.invoices();
    const [first, second] = [truth[10]?.startS ?? 0, truth[20]?.startS ?? 0];
    const count = async (filters: object) => (await invoices(market, { select_filters: filters })).body.total;
    expect(await count({ when: { gte: first, lte: second } })).toBe(11);
    expect(await count({ when: { gt: first, lt: second } })).toBe(9);
    const of = (services: string[]) => truth.filter(({ service }) => services.includes(service)).length;
    expect(await count({ ...everything, service: { eq: 'transfer' } })).toBe(of(['transfer']));
    expect(await count({ ...everything, service: { neq: 'transfer' } })).toBe(41 - of(['transfer']));
    const two = ['cryptopay_a', 'walletpay_manual'];
    expect(await count({ ...everything, service: { in: two } })).toBe(of(two));
    expect(await count({ ...everything, service: { notin: two } })).toBe(41 - of(two));
  });

  it.each([
    ['missing', {}],
    ['no object', { when: 5 }],
    ['no operator', { when: {} }],
    ['an unknown operator', { when: { eq: 5 } }],
    ['text', { when: { gte: 'yesterday' } }],
    ['turned round', { when: { gte: 10, lte: 5 } }],
  ])('with an impossible range are HTTP 200 without success: %s', async (_, filters) => {
    const market = await openMarket();
    expect(await invoices(market, { select_filters: filters })).toEqual({
      status: 200,
      body: {
        success: false,
        error: 'Invalid date range',
        count: 0,
        total: 0,
        results: [],
        next_token: null,
      },
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a limit of 0', { limit: '0' }, 'invalid_args'],
    ['an unknown column', { order_by: [{ col: 'amount' }] }, 'invalid_args'],
    ['an unknown direction', { order_by: [{ col: 'when', dir: 'up' }] }, 'invalid_args'],
    ['an unknown service', { select_filters: { ...everything, service: { eq: 'cash' } } }, 'invalid_args'],
    [
      'an operator that service has not',
      { select_filters: { ...everything, service: { gt: 'a' } } },
      'invalid_args',
    ],
    ['a token made up', { next_token: 'abc' }, 'invalid_token'],
  ])('are refused for %s', async (_, values, error) => {
    const market = await openMarket();
    expect(await invoices(market, values)).toMatchObject({ status: 400, body: { success: false, error } });
  });

  it('are refused with a token of another request', async () => {
    const market = await openMarket({ pastPayments: 5 });
    const { body } = await invoices(market, { limit: 2 });
    const other = { select_filters: { when: { gte: 1 } }, next_token: String(body.next_token) };
    expect((await invoices(market, { limit: 2, ...other })).body.error).toBe('invalid_token');
  });

  it('are created when credit runs out, at full hours, whenever the account is read', async () => {
    const open = () => openMarket({ openingCreditUsd: 11, replay: bookOf([offer(1, { dph_base: 1.64 })]) });
    const [looked, left] = [await open(), await open()];
    await rent(looked, 1);
    await rent(left, 1);
    for (let hour = 1; hour <= 30; hour += 0.7) {
      looked.goTo(hour * 3600);
      looked.simulator.invoices();
    }
    looked.goTo(30 * 3600);
    left.goTo(30 * 3600);
    const truth = left.simulator.invoices();
    expect(looked.simulator.invoices()).toEqual(truth);
    // After an hour 3480 s × 1.64 $/h + 0.36 $ = 1.945333 $ are gone of 11: 25 are paid. 2 $ an hour from then on:
    // 34.054667 left are 10.054667 at hour 13 and 8.054667 at hour 14: 25 more; 33.054667 are 9.054667 at hour 26.
    expect(truth.map(({ startS, amountUsd }) => [(startS - openedS) / 3600, amountUsd])).toEqual([
      [0, '-11.000000'],
      [1, '-25.000000'],
      [14, '-25.000000'],
      [26, '-25.000000'],
    ]);
  });
});

describe('charges', () => {
  const charges = (market: TestMarket, values: Record<string, unknown> = {}) => {
    const day = { gte: openedS, lte: openedS + 100 * 86_400 };
    return market.call('GET', `/api/v0/charges/?${query({ select_filters: { day }, ...values })}`);
  };

  it('have the items of a bill with hours and rate, and their purpose', async () => {
    const market = await openMarket();
    const id = await rent(market, 1, { label: 'mine' });
    market.goTo(3720);
    await market.call('DELETE', `/api/v0/instances/${id}/`);
    const { body } = await charges(market);
    expect(body.results).toEqual([
      {
        start: openedS,
        end: openedS + 3720,
        type: 'instance',
        source: `instance-${id}`,
        description: expect.stringContaining('RTX 4090'),
        amount: 0.732,
        metadata: { template_id: null, label: 'mine', instance_id: id },
        items: [
          { type: 'gpu', description: '1.000 hours at $0.36/hour', amount: 0.36 },
          { type: 'disk', description: '1.033 hours at $7.2/GB/month for 36 GB', amount: 0.372 },
        ],
      },
    ]);
  });

  it('are paged without loss or repetition while they grow', async () => {
    const market = await openMarket();
    for (const offerId of [1, 2, 3]) await rent(market, offerId);
    market.goTo(20 * 86_400 + 5);
    for (const latestFirst of ['true', 'false']) {
      const before = market.simulator.charges().map(({ startS, source }) => `${startS} ${source}`);
      const rows = await walk(
        (token) => charges(market, { limit: 7, latest_first: latestFirst, ...token }),
        'after_token',
        () => market.simulator.advance(7200),
      );
      const keys = rows.map(({ start, source }) => `${start} ${source}`);
      expect(new Set(keys).size).toBe(keys.length);
      expect(before.filter((key) => !keys.includes(key))).toEqual([]);
    }
  });

  it('can be selected by day and type', async () => {
    const market = await openMarket();
    await rent(market, 1);
    await market.call('PUT', '/api/v0/volumes/', { id: 1001 });
    market.goTo(10 * 86_400);
    const total = async (filters: object) => (await charges(market, { select_filters: filters })).body.total;
    const day = { gte: openedS + 86_400 + 5, lte: openedS + 3 * 86_400 };
    expect(await total({ day })).toBe(6);
    expect(await total({ day, type: { in: ['volume'] } })).toBe(3);
    expect(await total({ day, type: { in: ['serverless'] } })).toBe(0);
  });

  it.each<[string, Record<string, unknown>]>([
    ['no days', { select_filters: {} }],
    ['half a range', { select_filters: { day: { gte: 5 } } }],
    ['more than 500 rows', { limit: '501' }],
    ['an unknown type', { select_filters: { day: { gte: 1, lte: 2 }, type: { in: ['tips'] } } }],
  ])('are refused for %s', async (_, values) => {
    const market = await openMarket();
    expect(await charges(market, values)).toMatchObject({ status: 400, body: { error: 'invalid_args' } });
  });
});
