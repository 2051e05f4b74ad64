import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { complete } from '../../src/core/coverage.ts';
import type { Offer } from '../../src/core/offer.ts';
import type { TrendsAnswer } from '../../src/prices/trends/trends.routes.ts';
import { expectedCsv, hasRecordedData, marketBookFiles } from '../support/recorded-data.ts';
import { createTestApp, landFiles, type TestApp } from '../support/test-app.ts';
import { landOffers, makeOffer } from './made-offers.ts';
import { percentile, type RecordedLine, readLines } from './recorded-records.ts';

type Point = TrendsAnswer['series'][number]['points'][number];

const gpu = (name: string) => `gpuName=${encodeURIComponent(name)}`;
const only = ({ series }: TrendsAnswer): Point[] => {
  expect(series).toHaveLength(1);
  return series[0]?.points ?? [];
};

describe.skipIf(!hasRecordedData)('GET /api/trends over the recorded books', () => {
  let test: TestApp;
  let lines: RecordedLine[];

  beforeAll(async () => {
    test = await createTestApp();
    await landFiles(test, marketBookFiles);
    lines = readLines(marketBookFiles);
  });

  it('returns every row of expected.csv with bucket=book', async () => {
    const rows = readFileSync(expectedCsv, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','));
    const points = new Map<string, Point>();
    for (const type of ['on-demand', 'bid']) {
      const names = [...new Set(rows.filter((row) => row[1] === type).map((row) => row[2] ?? ''))];
      for (const name of names) {
        const answer = await test.json<TrendsAnswer>(`/api/trends?bucket=book&type=${type}&${gpu(name)}`);
        expect(answer.series.map(({ key }) => key)).toEqual([name]);
        for (const point of only(answer)) points.set(`${point.t} ${type} ${name}`, point);
      }
    }
    const wrong = rows.filter(([at = '', type, name, offers, gpus, ...figures]) => {
      const point = points.get(`${new Date(at).toISOString()} ${type} ${name}`);
      if (point === undefined || point.offers !== Number(offers) || point.gpus !== Number(gpus)) return true;
      const own = [point.min, point.p25, point.median, point.p75, point.max];
      // The oracle has six decimals, itself rounded.
      return own.some((value, index) => !(Math.abs(Number(value) - Number(figures[index])) <= 5.1e-7));
    });
    expect(wrong).toEqual([]);
    expect(rows).toHaveLength(1814);
  });

  it.each([
    ['1d', 'RTX 4090', 'on-demand'],
    ['1w', 'RTX 4090', 'on-demand'],
    ['1w', 'H100 SXM', 'bid'],
    ['1h', 'A100 SXM4', 'bid'],
  ])('pools whole buckets: %s of %s, %s', async (bucket, name, type) => {
    const path = `/api/trends?bucket=${bucket}&type=${type}&${gpu(name)}`;
    const points = only(await test.json<TrendsAnswer>(path));
    const own = lines.filter((line) => line.gpu_name === name && line.rental_type === type);
    expectPooled(points, own, bucket, (line) => line.dph_total / line.num_gpus);
  });

  it('returns one series over all models without gpuName', async () => {
    const answer = await test.json<TrendsAnswer>('/api/trends?bucket=1w');
    expect(answer.series.map(({ key }) => key)).toEqual(['*']);
    const own = lines.filter((line) => line.rental_type === 'on-demand');
    expectPooled(only(answer), own, '1w', (line) => line.dph_total / line.num_gpus);
  });

  it('returns one series per pair of several types and models', async () => {
    const both = `/api/trends?${gpu('RTX 4090')}&${gpu('RTX 3090')}&type=bid&type=on-demand`;
    const answer = await test.json<TrendsAnswer>(both);
    const keys = ['on-demand|RTX 4090', 'on-demand|RTX 3090', 'bid|RTX 4090', 'bid|RTX 3090'];
    expect(answer.series.map(({ key }) => key)).toEqual(keys);
    const single = await test.json<TrendsAnswer>(`/api/trends?${gpu('RTX 3090')}&type=bid`);
    expect(answer.series[3]?.points).toEqual(only(single));
    const all = await test.json<TrendsAnswer>('/api/trends?type=bid&type=on-demand');
    expect(all.series.map(({ key }) => key)).toEqual(['on-demand|*', 'bid|*']);
    expect(single.supply).toEqual([]);
    expect(all.coverage).toEqual({ books: 24, complete: 24, partial: 0, failed: 0, expected: null });
  });

  it('prices a usage profile', async () => {
    const profile = 'storageGb=50&downGb=100&upGb=20&runningHours=48&stoppedHours=24';
    const path = `/api/trends?metric=allInUsdPerHour&bucket=1w&${profile}&${gpu('RTX 4090')}`;
    const answer = await test.json<TrendsAnswer>(path);
    expect([answer.unit, answer.metric, answer.attributesAsOf]).toEqual([
      'USD/hour',
      'allInUsdPerHour',
      'day',
    ]);
    const own = lines.filter((line) => line.gpu_name === 'RTX 4090' && line.rental_type === 'on-demand');
    expectPooled(only(answer), own, '1w', (line) => {
      const disk = ((line.storage_cost * 50) / 720) * (48 + 24);
      return (line.dph_base * 48 + disk + line.inet_down_cost * 100 + line.inet_up_cost * 20) / 48;
    });
  });

  it.each<[string, (line: RecordedLine) => boolean]>([
    ['verification=verified&verification=unverified', (line) => line.verification !== 'deverified'],
    ['country=us&country=CA', (line) => /(US|CA)$/.test(line.geolocation ?? '')],
    ['numGpus=1&numGpus=2', (line) => line.num_gpus <= 2],
    ['staticIp=true&datacenter=false', (line) => line.static_ip && line.hosting_type === 0],
    ['maxUsdPerHour=0.5', (line) => line.dph_total <= 0.5],
    ['machineId=52482', (line) => line.machine_id === 52_482],
    ['excludeMachineId=52482', (line) => line.machine_id !== 52_482],
  ])('filters by %s', async (filter, fits) => {
    const answer = await test.json<TrendsAnswer>(`/api/trends?bucket=1w&${filter}`);
    const onDemand = lines.filter((line) => line.rental_type === 'on-demand');
    const own = onDemand.filter(fits);
    expect(own.length).toBeLessThan(onDemand.length);
    expect(own.length).toBeGreaterThan(0);
    expectPooled(only(answer), own, '1w', (line) => line.dph_total / line.num_gpus, false);
  });

  it('returns null per DLPerf if the market states none', async () => {
    const points = only(await test.json<TrendsAnswer>('/api/trends?metric=usdPerDlperfHour'));
    expect(points).toHaveLength(12);
    expect(
      points.every(({ observations, median, min }) => observations === 0 && median === null && min === null),
    ).toBe(true);
  });

  it('ends by default just after the newest book and begins 30 days before', async () => {
    const { from, to } = await test.json<TrendsAnswer>('/api/trends');
    expect(to).toBe('2026-07-31T01:03:02.001Z');
    expect(from).toBe('2026-07-01T01:03:02.001Z');
  });

  it('takes from as inclusive and to as exclusive', async () => {
    const range = 'from=2026-07-21T00:02:46Z&to=2026-07-22T00:02:54Z';
    const answer = await test.json<TrendsAnswer>(`/api/trends?bucket=book&${range}`);
    expect(only(answer).map(({ t }) => t)).toEqual(['2026-07-21T00:02:46.000Z']);
    expect(answer.coverage).toMatchObject({ books: 1, complete: 1 });
  });

  it('reads dates as midnight in the time zone', async () => {
    const answer = await test.json<TrendsAnswer>(
      '/api/trends?from=2026-07-21&to=2026-07-23&timeZone=Europe/Berlin',
    );
    expect([answer.from, answer.to]).toEqual(['2026-07-20T22:00:00.000Z', '2026-07-22T22:00:00.000Z']);
    expect(only(answer)).toHaveLength(2);
  });

  it('returns whole buckets that overlap the range', async () => {
    const whole = only(await test.json<TrendsAnswer>('/api/trends?bucket=1w'));
    const cut = await test.json<TrendsAnswer>(
      '/api/trends?bucket=1w&from=2026-07-22T12:00:00Z&to=2026-07-24',
    );
    expect(only(cut)).toEqual(whole.slice(0, 1));
    expect(cut.coverage.books).toBe(whole[0]?.books);
  });

  it('is empty, not wrong, for a range after the newest book', async () => {
    const answer = await test.json<TrendsAnswer>('/api/trends?from=2026-07-31T01:30:00Z');
    expect(only(answer)).toEqual([]);
    expect(answer.coverage.books).toBe(0);
  });

  it.each([
    ['bucket=2d', 'bucket'],
    ['metric=price', 'metric'],
    ['type=spot', 'type'],
    ['from=yesterday', 'from'],
    ['from=2026-02-30', 'from'],
    ['to=2026-07-20T00:00:00', 'to'],
    ['from=2026-07-22&to=2026-07-21', 'from'],
    ['timeZone=Mars/Olympus', 'timeZone'],
    ['runningHours=0', 'runningHours'],
    ['storageGb=-1', 'storageGb'],
    ['storageGb=1e999', 'storageGb'],
    ['storageGb=8&storageGb=9', 'storageGb'],
    ['numGpus=two', 'numGpus'],
    ['numGpus=999999999999', 'numGpus'],
    ['from=9999-12-31&to=9999-12-31T23:59:59.999Z&bucket=1w', 'from'],
    ['minReliability=1.5', 'minReliability'],
    ['datacenter=maybe', 'datacenter'],
    ['country=Atlantis', 'country'],
    ['gpuName=', 'gpuName'],
    ['market=elsewhere', 'market'],
    ['gpuname=RTX+4090', 'gpuname'],
  ])('refuses %s naming the parameter', async (query, name) => {
    const { errors, detail } = await test.problem(`/api/trends?${query}`, 400);
    expect(errors.map((error) => error.name)).toEqual([name]);
    expect(detail).toContain(name === 'market' ? 'Unknown market "elsewhere"' : `\`${name}\``);
  });

  it('names every wrong parameter at once', async () => {
    const { errors } = await test.problem('/api/trends?bucket=x&foo=1&bar=2', 400);
    expect(errors.map((error) => error.name).sort()).toEqual(['bar', 'bucket', 'foo']);
  });

  it('suggests the intended model', async () => {
    const { errors, type } = await test.problem('/api/trends?gpuName=rtx4090', 400);
    expect(type).toContain('unknown-model');
    expect(errors[0]?.detail).toContain('Did you mean "RTX 4090"?');
  });
});

/** Points equal to a plain recomputation: each offer once for each book of the bucket. */
function expectPooled(
  points: readonly Point[],
  own: readonly RecordedLine[],
  bucket: string,
  value: (line: RecordedLine) => number,
  everyBook = true,
): void {
  const groups = Map.groupBy(own, (line) => startOf(bucket, new Date(line.scraped_at)));
  expect(points.map(({ t }) => t)).toEqual([...groups.keys()].sort());
  // Nine significant digits: half a unit of the last is at most 5e-9 of the figure.
  for (const point of points) {
    const group = groups.get(point.t) ?? [];
    const books = new Set(group.map((line) => line.scraped_at)).size;
    const prices = group.map(value);
    expect(point.observations).toBe(group.length);
    if (everyBook) expect(point.books).toBe(books);
    expect(point.offers).toBeCloseTo(group.length / point.books, 9);
    expect(point.gpus).toBeCloseTo(group.reduce((sum, line) => sum + line.num_gpus, 0) / point.books, 9);
    const machines = new Set(group.map((line) => `${line.scraped_at} ${line.machine_id}`)).size;
    expect(point.machines).toBeCloseTo(machines / point.books, 9);
    const shares = { min: 0, p10: 0.1, p25: 0.25, median: 0.5, p75: 0.75, p90: 0.9, max: 1 } as const;
    for (const [name, share] of Object.entries(shares) as [keyof typeof shares, number][]) {
      const wanted = percentile(prices, share);
      const figure = point[name] ?? Number.NaN;
      expect(Math.abs(figure - wanted) / wanted, `${name} of ${point.t}`).toBeLessThan(5.01e-9);
      if (name.startsWith('p') || name === 'median') expect(figure).toBe(Number(figure.toPrecision(9)));
    }
  }
}

function startOf(bucket: string, at: Date): string {
  const start = new Date(at);
  start.setUTCMinutes(0, 0, 0);
  if (bucket === '1h') return start.toISOString();
  start.setUTCHours(0);
  if (bucket === '1w') start.setUTCDate(start.getUTCDate() - ((start.getUTCDay() + 6) % 7));
  return start.toISOString();
}

describe('GET /api/trends', () => {
  it('is empty for a market without books, whatever the model', async () => {
    const test = await createTestApp();
    const answer = await test.json<TrendsAnswer>('/api/trends?gpuName=RTX+4090');
    expect(answer).toMatchObject({
      bucket: 'book',
      to: test.clock.now.toISOString(),
      series: [{ key: 'RTX 4090', points: [] }],
      coverage: { books: 0, complete: 0, partial: 0, failed: 0, expected: null },
    });
  });

  it('has an empty point for a complete book without the model, and no point for a partial book', async () => {
    const test = await createTestApp({ expectedBooks: async () => 4 });
    const { sql, market } = test;
    const [a, b] = [makeOffer(1), makeOffer(2, { gpuName: 'RTX 3090' })];
    await landOffers(sql, market.id, '2026-07-30T00:00:00Z', [a, b]);
    await landOffers(sql, market.id, '2026-07-30T01:00:00Z', [b]);
    await landOffers(sql, market.id, '2026-07-30T02:00:00Z', [a, b], { verdict: 'partial' });
    for (const metric of ['usdPerGpuHour', 'usdPerHour']) {
      const answer = await test.json<TrendsAnswer>(
        `/api/trends?bucket=book&gpuName=RTX+4090&metric=${metric}`,
      );
      const [first, second, ...others] = only(answer);
      expect(first).toMatchObject({ books: 1, offers: 1, physicalGpus: 1, median: expect.closeTo(0.401, 9) });
      expect(second).toMatchObject({
        books: 1,
        observations: 0,
        offers: 0,
        gpus: 0,
        median: null,
        max: null,
      });
      expect(others).toEqual([]);
      expect(answer.coverage).toEqual({ books: 3, complete: 2, partial: 1, failed: 0, expected: 4 });
    }
  });

  it('has an empty point for a book that is complete for the model and lacks the segment', async () => {
    const test = await createTestApp();
    const { sql, market } = test;
    await landOffers(sql, market.id, '2026-07-29T00:00:00Z', [makeOffer(1), makeOffer(2, { numGpus: 2 })]);
    await landOffers(sql, market.id, '2026-07-30T00:00:00Z', [makeOffer(1)], {
      verdict: 'partial',
      slices: [{ gpuName: 'RTX 4090', coverage: complete('declared') }],
    });
    const answer = await test.json<TrendsAnswer>(
      '/api/trends?bucket=1d&gpuName=RTX+4090&numGpus=2&verification=verified',
    );
    expect(only(answer)).toMatchObject([
      { t: '2026-07-29T00:00:00.000Z', books: 1, offers: 1 },
      { t: '2026-07-30T00:00:00.000Z', books: 1, offers: 0, observations: 0, median: null },
    ]);
  });

  it('ends at the newest book, complete or partial', async () => {
    const test = await createTestApp();
    await landOffers(test.sql, test.market.id, '2026-07-30T02:00:00Z', [makeOffer(1)], {
      verdict: 'partial',
    });
    const { to } = await test.json<TrendsAnswer>('/api/trends');
    expect(to).toBe('2026-07-30T02:00:00.001Z');
  });

  it('combines what several types offer, counting each machine and GPU once, from adjacent books', async () => {
    const test = await createTestApp();
    const { sql, market } = test;
    const place = (machineId: number, gpuIds: number[] | null, values: Partial<Offer> = {}) =>
      makeOffer(machineId * 10 + (gpuIds?.[0] ?? 0), {
        machineId,
        gpuIds,
        numGpus: gpuIds?.length ?? 1,
        ...values,
      });
    // On demand machines 1 (GPUs 0 and 1) and 2 (unlisted); as bids 1 (GPUs 1 and 2) and 3, an H100.
    const onDemand = [place(1, [0, 1]), place(2, null, { numGpus: 4 })];
    const bids = [place(1, [1, 2]), place(3, [0], { gpuName: 'H100 SXM' })];
    await landOffers(sql, market.id, '2026-07-30T10:00:00Z', onDemand);
    await landOffers(sql, market.id, '2026-07-30T10:01:00Z', bids, { type: 'bid' });
    await landOffers(sql, market.id, '2026-07-30T10:40:00Z', [place(1, [0, 1])]);
    await landOffers(sql, market.id, '2026-07-30T10:41:00Z', bids.slice(0, 1), {
      type: 'bid',
      verdict: 'partial',
    });
    await landOffers(sql, market.id, '2026-07-30T10:42:00Z', bids.slice(0, 1), { type: 'bid' });
    // Without a book of bids nothing is known of both.
    await landOffers(sql, market.id, '2026-07-30T11:40:00Z', onDemand);
    const supply = async (query: string, from = '2026-07-30') => {
      const path = `/api/trends?type=bid&type=on-demand&from=${from}&to=2026-07-31&${query}`;
      const { supply } = await test.json<TrendsAnswer>(path);
      return supply.map(({ market: _, ...one }) => one);
    };
    const point = (t: string, rounds: number, machines: number, physicalGpus: number, lower: boolean) => ({
      ...{ t: `2026-07-30T${t}:00.000Z`, rounds, machines, physicalGpus, physicalGpusIsLowerBound: lower },
    });
    expect(await supply('bucket=book')).toEqual([
      { gpuName: null, points: [point('10:01', 1, 3, 3 + 4 + 1, true), point('10:42', 1, 1, 3, false)] },
    ]);
    for (const [bucket, t] of [
      ['1h', '10:00'],
      ['1d', '00:00'],
    ] as const) {
      expect(await supply(`bucket=${bucket}`)).toEqual([
        { gpuName: null, points: [point(t, 2, 2, 5.5, true)] },
      ]);
    }
    expect(await supply('bucket=1d&gpuName=RTX+4090&gpuName=H100+SXM')).toEqual([
      { gpuName: 'RTX 4090', points: [point('00:00', 2, 1.5, 5, true)] },
      { gpuName: 'H100 SXM', points: [point('00:00', 2, 0.5, 0.5, false)] },
    ]);
    expect(await supply('bucket=1d&numGpus=2')).toEqual([
      { gpuName: null, points: [point('00:00', 2, 1, 3, false)] },
    ]);
    expect(await supply('bucket=book', '2026-07-30T10:30:00Z')).toEqual([
      { gpuName: null, points: [point('10:42', 1, 1, 3, false)] },
    ]);
  });

  it('returns a series per market, with the same points that each has alone', async () => {
    const test = await createTestApp();
    const other = await ensureMarket(test.sql, 'other-market', 'recorded');
    await landOffers(test.sql, test.market.id, '2026-07-30T00:00:00Z', [makeOffer(1), makeOffer(2)]);
    await landOffers(test.sql, test.market.id, '2026-07-30T02:00:00Z', [makeOffer(1)], { type: 'bid' });
    await landOffers(test.sql, other.id, '2026-07-30T05:00:00Z', [makeOffer(1, { baseUsdPerHour: 0.9 })]);
    const both = 'market=test-market&market=other-market';
    const answer = await test.json<TrendsAnswer>(
      `/api/trends?${both}&gpuName=RTX+4090&type=on-demand&type=bid`,
    );
    expect(answer.series.map(({ key, market }) => [key, market])).toEqual([
      ['test-market|on-demand|RTX 4090', 'test-market'],
      ['test-market|bid|RTX 4090', 'test-market'],
      ['other-market|on-demand|RTX 4090', 'other-market'],
      ['other-market|bid|RTX 4090', 'other-market'],
    ]);
    expect(answer.to).toBe('2026-07-30T05:00:00.001Z');
    expect(answer.coverage).toMatchObject({ books: 3, complete: 3 });
    for (const { market, key, points } of answer.series) {
      const [, type] = key.split('|');
      const range = `from=${answer.from}&to=${answer.to}&bucket=${answer.bucket}`;
      const alone = await test.json<TrendsAnswer>(
        `/api/trends?market=${market}&gpuName=RTX+4090&type=${type}&${range}`,
      );
      expect(points).toEqual(only(alone));
    }
    expect(answer.series[2]?.points[0]?.median).toBeCloseTo(0.901, 9);
    expect(answer.supply.map(({ market, gpuName }) => [market, gpuName])).toEqual([
      ['test-market', 'RTX 4090'],
      ['other-market', 'RTX 4090'],
    ]);
    const all = await test.json<TrendsAnswer>(`/api/trends?${both}`);
    expect(all.series.map(({ key }) => key)).toEqual(['test-market|on-demand|*', 'other-market|on-demand|*']);
  });

  it('refuses too many points, and names what to narrow', async () => {
    const test = await createTestApp();
    const { sql, market } = test;
    await landOffers(sql, market.id, '2026-07-30T00:00:00Z', [
      makeOffer(1),
      makeOffer(2, { gpuName: 'A100' }),
    ]);
    await sql`insert into book (scope_id, type, observed_at, started_at, verdict, proof, content_hash, offers,
        allocated_storage_gb, certificate)
      select scope_id, type, observed_at + n * interval '1 second', started_at, verdict, proof, '', 0,
        allocated_storage_gb, certificate
      from book, generate_series(1, 100000) n`;
    const query = 'from=2026-07-30&to=2026-08-01&gpuName=RTX+4090&gpuName=A100';
    const { errors, detail } = await test.problem(`/api/trends?bucket=book&${query}`, 400);
    expect(errors.map(({ name }) => name)).toEqual(['bucket']);
    expect(detail).toMatch(/200002 points, more than 200000: choose `1h` or `1d`/);
    for (const bucket of ['auto', '1h']) await test.json(`/api/trends?bucket=${bucket}&${query}`);
  });
});
