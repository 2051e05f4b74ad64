import { describe, expect, it } from 'vitest';
import { parseView, ranges, rankingPath, trendPath, type View, viewQuery } from '../../web/view.ts';

const view = (part: Partial<View>): View => ({ ...parseView(''), ...part });
const query = (path: string) => Object.fromEntries(new URLSearchParams(path.split('?')[1]));

describe('view in the address', () => {
  it('comes back as it was, whatever was chosen', () => {
    for (const range of ranges) {
      for (const type of ['on-demand', 'bid', 'reserved'] as const) {
        for (const gpuName of [null, 'RTX 4090', 'A100 & "B" é+%']) {
          for (const rankChosenOnly of [true, false]) {
            const chosen = { gpuName, type, range, rankChosenOnly };
            expect(parseView(viewQuery(chosen))).toEqual(chosen);
          }
        }
      }
    }
  });

  it('falls back to the default where the address says something unknown', () => {
    expect(parseView('?type=gift&range=1y&gpu=&rank=x')).toEqual(parseView(''));
    expect(viewQuery(parseView(''))).toBe('?');
  });
});

describe('requests of a view', () => {
  const newest = '2026-07-31T01:03:02.000Z';

  it('ends short ranges at the newest book, not at the clock', () => {
    expect(query(trendPath(view({ range: '24h' }), newest)).from).toBe('2026-07-30T01:03:02.000Z');
    expect(query(trendPath(view({ range: '7d' }), newest)).from).toBe('2026-07-24T01:03:02.000Z');
  });

  it('leaves 30 days to the API and asks for everything from the beginning of time', () => {
    expect(query(trendPath(view({}), newest))).not.toHaveProperty('from');
    expect(query(trendPath(view({ range: 'all' }), newest)).from).toBe('1970-01-01');
    expect(query(trendPath(view({ range: '24h' }), null))).not.toHaveProperty('from');
  });

  it('narrows the ranking to the chosen model only when asked', () => {
    expect(query(rankingPath(view({ gpuName: 'A40' })))).not.toHaveProperty('gpuName');
    expect(query(rankingPath(view({ gpuName: 'A40', rankChosenOnly: true, type: 'bid' })))).toMatchObject({
      gpuName: 'A40',
      type: 'bid',
    });
    expect(query(rankingPath(view({ rankChosenOnly: true })))).not.toHaveProperty('gpuName');
  });
});
