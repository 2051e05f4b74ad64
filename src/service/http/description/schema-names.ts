import { roles } from '../../../core/http/credential.ts';
import { rankingMetrics, trendMetrics } from '../../../core/metric.ts';
import { pricingTypes } from '../../../core/offer.ts';
import { verificationTiers } from '../../../core/offer-fields.ts';
import { runtypes } from '../../../market/template.ts';
import { reconciliationKinds } from '../../../spend/reconciliation/reconcile-spend.ts';
import { spendBases, spendCategories, spendGroupings } from '../../../spend/spend-grouping.ts';
import { channelKinds } from '../../../watches/channels/kinds/registry.ts';
import { ruleKinds } from '../../../watches/rules/rule.ts';

const lists: readonly (readonly [string, readonly (string | number)[]])[] = [
  ['PricingType', pricingTypes],
  ['VerificationTier', verificationTiers],
  ['RankingMetric', rankingMetrics],
  ['TrendMetric', trendMetrics],
  ['ForecastMetric', ['median', 'index']],
  ['BookVerdict', ['complete', 'partial']],
  ['SampleStatus', ['ok', 'insufficient']],
  ['PercentileDays', [7, 30, 90]],
  ['SpendGrouping', spendGroupings],
  ['SpendCategory', spendCategories],
  ['SpendBasis', spendBases],
  ['SpendDifferenceKind', reconciliationKinds],
  ['CrawlOutcome', ['complete', 'partial', 'failed', 'unchanged']],
  ['CrawlKind', ['offers', 'invoices', 'charges', 'instances']],
  ['MarketKind', ['live', 'simulated', 'recorded']],
  ['BlocklistKind', ['block', 'prefer']],
  ['RunType', runtypes],
  ['FailureAction', ['notify', 'replace']],
  ['EndAction', ['stop', 'destroy']],
  ['WantedState', ['running', 'stopped', 'destroyed']],
  ['OrderState', ['draft', 'armed', 'paused', 'filled', 'expired', 'out-of-budget', 'failed']],
  ['RuleKind', ruleKinds],
  ['Rearm', ['leave', 'never']],
  ['ChannelKindName', channelKinds],
  ['DeliveryState', ['queued', 'sent', 'refused', 'failed']],
  ['Role', roles],
];

const objects: readonly (readonly [string, string])[] = [
  ['BookAge', 'observedAt,ageMinutes'],
  ['TypedBookAge', 'observedAt,ageMinutes,type'],
  ['EndedCrawl', 'type,endedAt,outcome,reason'],
  ['UnrankedOffers', 'reason,offers'],
  ['RejectedRows', 'reason,rows'],
  ['MedianPoint', 't,median'],
  ['BookCounts', 'books,complete,partial,failed'],
  ['SpendItem', 'key,subkey,category,basis,amountUsd,entries'],
  ['SpendTotal', 'category,basis,amountUsd,entries'],
  ['Schedule', 'cron,timeZone'],
  ['NewSchedule', '!cron,timeZone'],
  ['TriggerCondition', 'm,n'],
  ['NewTriggerCondition', '!m,n'],
  ['RearmAfter', 'afterMinutes'],
  ['NewRearmAfter', '!afterMinutes'],
  ['QuietHours', 'from,to,timeZone'],
  ['NewQuietHours', '!from,to,timeZone'],
  ['QuotedProfile', '!downGb,upGb,runningHours,stoppedHours'],
  ['ExistingVolume', '!kind,volumeId,mountPath'],
  ['InstanceStatusCount', 'status,instances'],
  ['CatalogPrice', 'provider,region,numGpus,usdPerHour,usdPerGpuHour'],
  ['AddedVolume', '!kind,volumeOfferId,sizeGb,mountPath'],
];

/** Names of schemas that several others share, by their shape as `shapeOf` writes it. */
export const sharedNames: Readonly<Record<string, string | undefined>> = Object.fromEntries([
  ...lists.map(([name, values]) => [values.join('|'), name]),
  ...objects.map(([name, fields]) => [fields, name]),
]);

/** Better names of schemas than those of the field that they are in. */
export const betterNames: Readonly<Record<string, string | undefined>> = {
  AlertWebhookData: 'AlertNotice',
  CatalogsGpus: 'CatalogGpu',
  CatalogsProvider: 'Catalog',
  DigestWebhookData: 'DigestNotice',
  DigestNoticeData: 'DigestData',
  OrderWebhookData: 'OrderNotice',
  OrderNoticeData: 'OrderData',
  PriceDropsDrop: 'PriceDrop',
  ReportWebhookData: 'ReportNotice',
  ReportNoticeData: 'ReportData',
  SpendAdjustmentsItem: 'SpendAdjustment',
  SpendReconciliationItem: 'SpendDifference',
  StatusInstances: 'InstanceCounts',
  TestWebhookData: 'TestNotice',
  TestNoticeData: 'TestData',
};
