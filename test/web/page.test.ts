import { describe } from 'vitest';
import { startOfferbook } from '../support/offerbook-server.ts';
import { describeAccountViews } from './account-views.ts';
import { describeActingViews } from './acting-views.ts';
import { describeAnswerStates } from './answer-states.ts';
import { describeKeptViews } from './kept-views.ts';
import { usePages } from './page-fixture.ts';
import { describePriceViews } from './price-views.ts';

describe('page', () => {
  const pages = usePages(startOfferbook);
  describePriceViews(pages);
  describeAccountViews(pages);
  describeActingViews(pages);
  describeKeptViews(pages);
  describeAnswerStates(pages);
});
