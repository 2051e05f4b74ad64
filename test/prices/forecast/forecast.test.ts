import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import type { FigureExplanationAnswer } from '../../../src/prices/explain/explanation-schema.ts';
import type { ForecastAnswer } from '../../../src/prices/forecast/forecast.routes.ts';
import { judgeForecasts } from '../../../src/prices/forecast/judge-forecast.ts';
import type { IndexAnswer } from '../../../src/prices/index/price-index.routes.ts';
import type { TrendsAnswer } from '../../../src/prices/trends/trends.routes.ts';
import { loadConfig } from '../../../src/service/config.ts';
import { createNormal } from '../../support/drawn-series.ts';
import { hasRecordedData, marketBookFiles } from '../../support/recorded-data.ts';
import { runInProcess } from '../../support/run-in-process.ts';
import { createTestApp, landFiles, type TestApp } from '../../support/test-app.ts';
import { databaseUrl } from '../../support/test-database.ts';
import { landOffers, makeOffer } from '../made-offers.ts';

const dayMs = 86_400_000;
const start = Date.parse('2026-01-05T00:00:00Z');
const days = 70;
let app: TestApp;
let folder: string;

/** One book a day: a model with a weekly cycle, and one that nothing is known of but its last price. */
beforeAll(async () => {
  app = await createTestApp();
  folder = await mkdtemp(join(tmpdir(), 'offerbook-forecast-'));
  const draw = createNormal(11);
  let walk = 0;
  for (let day = 0; day < days; day += 1) {
    walk += 0.03 * draw();
    const cycle = 0.1 * Math.sin((2 * Math.PI * day) / 7) + 0.01 * draw();
    const at = new Date(start + day * dayMs + dayMs / 2).toISOString();
    await landOffers(app.sql, app.market.id, at, [
      makeOffer(1, { baseUsdPerHour: 0.4 * Math.exp(cycle) }),
      makeOffer(2, { gpuName: 'H100 SXM', baseUsdPerHour: 2 * Math.exp(walk) }),
    ]);
  }
  // An hour into the day after the last.
  app.clock.now = new Date(start + days * dayMs + 3_600_000);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const forecast = async (query: string) => await app.json<ForecastAnswer>(`/api/forecast?${query}`);

describe('GET /api/forecast', () => {
  it('finds a weekly cycle, and publishes the error of its past forecasts', async () => {
    const { metric, unit, series } = await forecast('gpuName=RTX+4090');
    expect([metric, unit, series.map(({ key }) => key)]).toEqual(['median', 'USD/GPU/hour', ['RTX 4090']]);
    const [tomorrow] = series[0]?.horizons ?? [];
    expect(tomorrow).toMatchObject({ days: 1, status: 'ok', candidate: 'weekday', origins: days - 28 });
    const expected = 0.4 * Math.exp(0.1 * Math.sin((2 * Math.PI * days) / 7)) + (0.09 * 8) / 720;
    expect(tomorrow?.value).toBeGreaterThan(0.95 * expected);
    expect(tomorrow?.value).toBeLessThan(1.05 * expected);
    expect(tomorrow?.meanErrorPercent).toBeLessThan(0.95 * (tomorrow?.naiveErrorPercent ?? 0));
  });

  it('forecasts the index of a model in its own unit, and refuses one over all models', async () => {
    const { metric, unit, series } = await forecast('gpuName=RTX+4090&metric=index');
    expect([metric, unit, series.length]).toEqual(['index', '100 at its start', 1]);
    const from = new Date(start).toISOString();
    const index = await app.json<IndexAnswer>(`/api/index?gpuName=RTX+4090&from=${from}`);
    expect(series[0]?.lastValue).toBe(index.series[0]?.points.at(-1)?.index);
    expect(series[0]?.horizons[0]).toMatchObject({ days: 1, status: 'ok', candidate: 'weekday' });
    const refused = await app.get('/api/forecast?metric=index');
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('gpuName');
  });

  it('is computed from the medians of complete UTC days', async () => {
    const trends = await app.json<TrendsAnswer>('/api/trends?gpuName=H100+SXM&bucket=1d&from=2026-01-01');
    const values = (trends.series[0]?.points ?? []).map(({ t, median }) => ({
      day: Date.parse(t) / dayMs,
      value: median ?? Number.NaN,
    }));
    const [whole] = (await forecast('gpuName=H100+SXM')).series;
    expect(whole?.horizons).toMatchObject(judgeForecasts(values));
    expect([whole?.lastDay, whole?.lastValue]).toEqual([
      trends.series[0]?.points.at(-1)?.t,
      values.at(-1)?.value,
    ]);
    expect(whole?.horizons.every(({ status, value }) => status === 'withheld' && value === null)).toBe(true);
    const { now } = app.clock;
    app.clock.now = new Date(start + (days - 1) * dayMs + dayMs - 1);
    try {
      const [open] = (await forecast('gpuName=H100+SXM')).series;
      expect(open?.horizons).toMatchObject(judgeForecasts(values.slice(0, -1)));
    } finally {
      app.clock.now = now;
    }
  });

  it.each(['median', 'index'])(
    'is explained by its candidates, recomputed one by one (%s)',
    async (metric) => {
      for (const model of ['RTX+4090', 'H100+SXM']) {
        const { series } = await forecast(`gpuName=${model}&metric=${metric}`);
        for (const horizon of series[0]?.horizons ?? []) {
          const query = `of=forecast&gpuName=${model}&forecastOf=${metric}&days=${horizon.days}`;
          const answer = await app.json<FigureExplanationAnswer>(`/api/explain?${query}`);
          expect(horizon).toMatchObject(answer.value as object);
          expect(answer.agrees, `${query} ${JSON.stringify(answer)}`).toBe(true);
          const isPicked = answer.items.some(({ candidate }) => candidate === horizon.candidate);
          expect(isPicked).toBe(horizon.status === 'ok');
          expect(answer.text.join(' ')).toContain(horizon.status === 'ok' ? 'Published' : 'Withheld');
        }
      }
    },
  );

  it('has one series per pair of type and model, and without a model one over all models', async () => {
    const pairs = await forecast('gpuName=RTX+4090&gpuName=H100+SXM&type=on-demand&type=bid');
    expect(pairs.series.map(({ key, lastDay }) => [key, lastDay === null])).toEqual([
      ['on-demand|RTX 4090', false],
      ['on-demand|H100 SXM', false],
      ['bid|RTX 4090', true],
      ['bid|H100 SXM', true],
    ]);
    expect((await forecast('')).series.map(({ key }) => key)).toEqual(['*']);
    await ensureMarket(app.sql, 'empty', 'recorded');
    const [none] = (await forecast('market=empty')).series;
    expect(none).toMatchObject({
      key: '*',
      lastDay: null,
      horizons: [{ origins: 0 }, { origins: 0 }, { origins: 0 }],
    });
    for (const query of ['metric=mean', 'gpuName=RTX+4091', 'from=2026-01-01']) {
      await app.problem(`/api/forecast?${query}`, 400);
    }
  });
});

describe('offerbook forecast', () => {
  const run = async (...args: string[]) => {
    const config = loadConfig({ DATABASE_URL: databaseUrl(app.target), DATA_DIR: folder });
    const { stdout, code, notes } = await runInProcess(
      ['forecast', '--market', 'test-market', ...args],
      config,
    );
    expect([code, notes]).toEqual([0, []]);
    return stdout;
  };

  it('says what is expected with its error, or that nothing beats today’s price', async () => {
    const lines = (await run('--gpu-name', 'RTX 4090', 'H100 SXM')).split('\n');
    expect(lines[0]).toMatch(/^on-demand\|RTX 4090: \$0\.\d+\/GPU-hour on 2026-03-15\.$/);
    expect(lines[1]).toMatch(
      /In 1 day: \$0\.\d+ \(\$0\.\d+ to \$0\.\d+ in 8 of 10 cases\), by weekday; mean error [\d.]+%, of today's price [\d.]+%; \d+% of outcomes in such a band, \d+ origins\./,
    );
    const none =
      /In 7 days: no forecast beats today's price; in 8 of 10 weeks it moved by less than ±\d+\.\d%\./;
    expect(lines.find((line) => none.test(line))).toBeDefined();
  });

  it('lists the past errors of every model with --backtest', async () => {
    const table = await run('--backtest');
    expect(table).toMatch(
      /^Series +Days +Status +Method +Mean error +Last price's error +Better by +In band +Origins/,
    );
    expect(table).toMatch(/RTX 4090 +1 +ok +weekday +\d+\.\d% +\d+\.\d% +\d+\.\d% +\d+% +42 /);
    expect(table).toMatch(/H100 SXM +30 +withheld/);
    expect(table).toContain('1 of 2 series have a forecast that beats the last price by 5% or more.');
    const { series } = JSON.parse(await run('--backtest', '--json')) as ForecastAnswer;
    expect(series.map(({ key }) => key)).toEqual(['H100 SXM', 'RTX 4090']);
  });
});

describe.skipIf(!hasRecordedData)('forecasts of the recorded books', () => {
  it('are withheld for every model, because they have too few days', async () => {
    const recorded = await createTestApp();
    recorded.clock.now = new Date('2026-08-01T00:00:00Z');
    await landFiles(recorded, marketBookFiles);
    const { gpuNames } = await recorded.json<{ gpuNames: string[] }>('/api/status');
    const named = gpuNames.slice(0, 50).map((name) => `gpuName=${encodeURIComponent(name)}`);
    const { series } = await recorded.json<ForecastAnswer>(
      `/api/forecast?type=on-demand&type=bid&${named.join('&')}`,
    );
    const horizons = series.flatMap((each) => each.horizons);
    expect(horizons.length).toBeGreaterThan(100);
    expect(horizons.filter(({ status }) => status !== 'withheld')).toEqual([]);
    expect(
      series.some((each) => each.horizons.some(({ usualMovePercent }) => usualMovePercent !== null)),
    ).toBe(true);
  });
});
