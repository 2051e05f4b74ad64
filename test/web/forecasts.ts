import { describe, expect, it } from 'vitest';
import type { Forecast } from '../../web/core/api.ts';
import { type PageFixture, patiently, perturb, widths } from './page-fixture.ts';

/** Tests of the forecasts below the chart of trends in a real browser. */
export function describeForecasts({ open, ask }: PageFixture): void {
  describe('forecasts below the chart of trends', () => {
    it.each([
      ['median', '', 1440],
      ['index', '&metric=index', 390],
    ] as const)('are the API’s sentences, asked for after the chart: %s', async (metric, more, width) => {
      const asked: string[] = [];
      const gpuName = (await ask<{ gpuNames: string[] }>('/api/status')).gpuNames[0] ?? '';
      const query = new URLSearchParams([
        ['gpuName', gpuName],
        ['type', 'on-demand'],
        ['type', 'bid'],
      ]);
      const page = await open(
        `/trends?${query}${more}`,
        async (page) => {
          page.on('request', (request) => asked.push(`asked ${new URL(request.url()).pathname}`));
          page.on('response', (response) => asked.push(`got ${new URL(response.url()).pathname}`));
        },
        width,
      );
      const { series } = await ask<Forecast>(`/api/forecast?${query}&metric=${metric}`);
      expect(series).toHaveLength(2);
      for (const { key, horizons } of series) {
        const sentences = page.locator(`#forecast [data-key="${key}"] li`);
        await sentences.first().waitFor();
        const days = /\b(\d{4}-\d{2}-\d{2}|\w{3} \d+, \d{4}|\d+ \w{3,4} \d{4})\b/g;
        const shown = await sentences.allTextContents();
        expect(shown.join()).not.toMatch(/\d{4}-\d{2}-\d{2}/);
        expect(shown.map((text) => text.replace(days, 'DAY'))).toEqual(
          horizons.map(({ words }) => words.replace(days, 'DAY')),
        );
        expect(horizons.map(({ words }) => words.slice(0, 9))).toEqual([
          'In 1 day:',
          'In 7 days',
          'In 30 day',
        ]);
      }
      const answered = asked.indexOf(`got /api/${metric === 'index' ? 'index' : 'trends'}`);
      expect(answered).toBeGreaterThan(-1);
      expect(asked.indexOf('asked /api/forecast')).toBeGreaterThan(answered);
    });

    it.each(widths)(
      'are drawn as a fan if they are published, beside the chart of days alone, %s wide',
      async (width) => {
        const page = await open(
          '/trends?range=all&bucket=1d',
          (page) => page.route('**/api/forecast?*', (route) => perturb<Forecast>(route, publish)),
          width,
        );
        const text = page.locator('#forecast li[data-status=ok]');
        await expect.poll(() => text.count(), patiently).toBe(3);
        expect(await text.first().textContent()).toBe('published');
        // The axis continues beyond the last day, which therefore moves left from the right edge.
        const lastPlace = async () => {
          await page.getByRole('slider').focus();
          await page.keyboard.press('Home');
          await page.keyboard.press('End');
          const guide = (await page.locator('.guide').boundingBox()) ?? { x: 0 };
          const chart = (await page.locator('.chart').boundingBox()) ?? { x: 0, width: 1 };
          return (guide.x - chart.x) / chart.width;
        };
        await expect.poll(lastPlace, patiently).toBeLessThan(0.3);
        await page.goto(new URL('/trends?range=all&bucket=1h', page.url()).href);
        await expect.poll(() => text.count(), patiently).toBe(3);
        await expect.poll(lastPlace, patiently).toBeGreaterThan(0.8);
      },
    );
  });
}

function publish(answer: Forecast): Forecast {
  for (const { horizons, lastValue } of answer.series) {
    for (const horizon of horizons) {
      const value = lastValue ?? 1;
      Object.assign(horizon, {
        status: 'ok',
        value,
        low: value * 0.9,
        high: value * 1.1,
        words: 'published',
      });
    }
  }
  return answer;
}
