import { describe } from 'vitest';
import { startOfferbook } from '../support/offerbook-server.ts';
import { describeAccountViews } from './account-views.ts';
import { describeActingViews } from './acting-views.ts';
import { describeAnswerStates } from './answer-states.ts';
import { describeDrawnTrends } from './drawn-trends.ts';
import { describeEveryView } from './every-view.ts';
import { describeKeptLists } from './kept-lists.ts';
import { describeKeptViews } from './kept-views.ts';
import { usePages } from './page-fixture.ts';
import { describePriceViews } from './price-views.ts';
import { describeTrendViews } from './trend-views.ts';
import { describeWholePage } from './whole-page.ts';

describe('page', () => {
  const pages = usePages(startOfferbook);
  describeWholePage(pages);
  describePriceViews(pages);
  describeTrendViews(pages);
  describeDrawnTrends(pages);
  describeAccountViews(pages);
  describeActingViews(pages);
  describeKeptViews(pages);
  describeKeptLists(pages);
  describeEveryView(pages);
  describeAnswerStates(pages);
});
