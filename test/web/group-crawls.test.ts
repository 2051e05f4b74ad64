import { expect, it } from 'vitest';
import { groupCrawls } from '../../web/books/group-crawls.ts';

const crawl = (id: string, cause: 'seed' | 'cron' = 'seed', outcome: 'complete' | 'failed' = 'complete') => ({
  id,
  cause,
  outcome,
});
const groupsOf = (chosen: string | null) =>
  groupCrawls(
    [
      crawl('1', 'cron'),
      crawl('2'),
      crawl('3'),
      crawl('4'),
      crawl('5', 'seed', 'failed'),
      crawl('6'),
      crawl('7'),
    ],
    chosen,
  ).map(({ key, crawls }) => [key, crawls.map(({ id }) => id).join()]);

it('complete books of the first history that follow each other are a group; crawls and what failed are not', () => {
  expect(groupsOf(null)).toEqual([
    [null, '1'],
    ['2', '2,3,4'],
    [null, '5'],
    [null, '6'],
    [null, '7'],
  ]);
});

it('the chosen crawl keeps its own row', () => {
  expect(groupsOf('3').map(([, ids]) => ids)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
});
