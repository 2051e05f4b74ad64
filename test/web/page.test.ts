import { describe } from 'vitest';
import { startOfferbook } from '../support/offerbook-server.ts';
import { shareOfToday } from '../support/share-of-today.ts';
import { describeAccountViews } from './account-views.ts';
import { describeActingViews } from './acting-views.ts';
import { describeAlertMe } from './alert-me.ts';
import { describeAlertsElsewhere } from './alerts-elsewhere.ts';
import { describeAlertsUnderWatches } from './alerts-under-watches.ts';
import { describeAnswerStates } from './answer-states.ts';
import { describeBudgetAlerts } from './budget-alerts.ts';
import { describeCommandPalette } from './command-palette.ts';
import { describeDeals } from './deals.ts';
import { describeDrawnTrends } from './drawn-trends.ts';
import { describeEveryView } from './every-view.ts';
import { describeExplanations } from './explanations.ts';
import { describeForecasts } from './forecasts.ts';
import { describeGoneOffers } from './gone-offers.ts';
import { describeIndexChart } from './index-chart.ts';
import { describeInstalledApp } from './installed-app.ts';
import { describeInstancePages } from './instance-pages.ts';
import { describeKeptLists } from './kept-lists.ts';
import { describeKeptViews } from './kept-views.ts';
import { describeListPrices } from './list-prices.ts';
import { describeListingViews } from './listing-views.ts';
import { describePageExports } from './page-exports.ts';
import { usePages } from './page-fixture.ts';
import { describePinnedModels } from './pinned-models.ts';
import { describePriceChanges } from './price-changes.ts';
import { describePriceRule } from './price-rule.ts';
import { describePriceVerdicts } from './price-verdicts.ts';
import { describePriceViews } from './price-views.ts';
import { describeQuotedRent } from './quoted-rent.ts';
import { describeSeveralMarkets } from './several-markets.ts';
import { describeSixTasks } from './six-tasks.ts';
import { describeSpendPeriods } from './spend-periods.ts';
import { describeStandingOrders } from './standing-orders.ts';
import { describeSupplyWords } from './supply-words.ts';
import { describeToday } from './today.ts';
import { describeTrendChoices } from './trend-choices.ts';
import { describeTrendViews } from './trend-views.ts';
import { describeUnknownPages } from './unknown-pages.ts';
import { describeUnknownValues } from './unknown-values.ts';
import { describeViewingOnly } from './viewing-only.ts';
import { describeWaitOrRent } from './wait-or-rent.ts';
import { describeWholePage } from './whole-page.ts';
import { describeWideTables } from './wide-tables.ts';

/** In this order: the last ones add markets and stop the server. */
const all = [
  describeWholePage,
  describeToday,
  describeCommandPalette,
  describeWideTables,
  describeUnknownPages,
  describePriceViews,
  describePinnedModels,
  describePriceVerdicts,
  describePriceChanges,
  describeDeals,
  describeTrendViews,
  describeTrendChoices,
  describeIndexChart,
  describeForecasts,
  describeSupplyWords,
  describeDrawnTrends,
  describeAccountViews,
  describeListingViews,
  describeAlertsUnderWatches,
  describePageExports,
  describeSpendPeriods,
  describeActingViews,
  describeInstancePages,
  describeSixTasks,
  describeStandingOrders,
  describeQuotedRent,
  describeGoneOffers,
  describeWaitOrRent,
  describePriceRule,
  describeAlertMe,
  describeAlertsElsewhere,
  describeBudgetAlerts,
  describeListPrices,
  describeUnknownValues,
  describeViewingOnly,
  describeExplanations,
  describeKeptViews,
  describeKeptLists,
  describeEveryView,
  describeSeveralMarkets,
  describeAnswerStates,
  describeInstalledApp,
];

/** What costs money, and what holds for every view; of the rest `npm test` runs a quarter, another one each day. */
const always = [
  describeWholePage,
  describeActingViews,
  describeSixTasks,
  describeQuotedRent,
  describeGoneOffers,
  describeEveryView,
];
const rest = all.filter((each) => !always.includes(each));
const today = [...always, ...shareOfToday(rest, 4)];

describe('page', () => {
  const pages = usePages(() =>
    // What is destroyed before any list had it is gone for sure only once lists may no longer lag.
    startOfferbook({
      ...{ WEBHOOK_ALLOW_PRIVATE: 'on', CRAWL_INSTANCES: '*/2 * * * * *', SETTLE_MINUTES: '1' },
    }),
  );
  for (const describeSome of all) if (today.includes(describeSome)) describeSome(pages);
});
