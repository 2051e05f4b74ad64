import { literal, sqlText } from '../../database/sql-text.ts';
import { columnsOf } from '../../exports/export-column.ts';
import { entriesSql } from '../entries.sql.ts';
import type { SpendScope } from '../spend-grouping.ts';
import { focusNotes } from './column-notes.ts';
import { quantitySql, unitSql } from './measured.sql.ts';
import type { ExportQuery } from './spend.tables.ts';

/** Columns of FOCUS 1.2 by kind of value: all mandatory ones, and the optional ones that are known. */
const focusColumns = columnsOf(
  {
    BilledCost: 'usd',
    BillingAccountId: 'text',
    BillingAccountName: 'text',
    BillingCurrency: 'text',
    BillingPeriodEnd: 'moment',
    BillingPeriodStart: 'moment',
    ChargeCategory: 'text',
    ChargeClass: 'text',
    ChargeDescription: 'text',
    ChargeFrequency: 'text',
    ChargePeriodEnd: 'moment',
    ChargePeriodStart: 'moment',
    ConsumedQuantity: 'decimal',
    ConsumedUnit: 'text',
    ContractedCost: 'usd',
    EffectiveCost: 'usd',
    InvoiceId: 'text',
    InvoiceIssuerName: 'text',
    ListCost: 'usd',
    PricingQuantity: 'decimal',
    PricingUnit: 'text',
    ProviderName: 'text',
    PublisherName: 'text',
    ResourceId: 'text',
    ResourceName: 'text',
    ResourceType: 'text',
    ServiceCategory: 'text',
    ServiceName: 'text',
    SubAccountId: 'text',
    x_Basis: 'text',
    x_EntryId: 'text',
    x_GpuName: 'text',
    x_Label: 'text',
  },
  focusNotes,
);

/** Returns SQL of a FOCUS text, null if empty, which FOCUS does not allow. */
const said = (column: string): string => `nullif(${column}, '')`;

/**
 * Returns consumption, credits and refunds that start in the range as FOCUS rows, one per entry, without disappeared
 * ones; transfers and payouts are not charges. `closes`: entries first seen after their month's close are corrections.
 */
export function focusTable(
  scope: SpendScope & { market: string },
  closes: readonly { from: Date; to: Date; closedAt: Date }[],
): ExportQuery {
  const { marketId, asOf, from, to, market } = scope;
  const name = literal(market);
  // Default unit: hours for GPUs and disks, units for anything else.
  const isByTheHour = `service in ('gpu', 'disk') and until_at > start_at`;
  const quantity = `case when category = 'consumption' then coalesce(measured, case when ${isByTheHour}
    then round(extract(epoch from until_at - start_at) / 3600, 12) else 1 end) end`;
  const measuredUnit = unitSql('measured');
  const unit = `case when category = 'consumption' then coalesce(
    case when lower(${measuredUnit}) in ('hour', 'hours') then 'Hours' else ${measuredUnit} end,
    case when ${isByTheHour} then 'Hours' else 'Units' end) end`;
  const correction = closes.map(
    (month) => `when start_at >= ${literal(month.from)} and start_at < ${literal(month.to)}
      and first_seen_at > ${literal(month.closedAt)} then 'Correction'`,
  );
  // Cards and accounts are payment sources, not resources.
  const isResource = "category = 'consumption' and source <> ''";
  const periodStart = "date_trunc('month', start_at at time zone 'UTC')";
  return {
    columns: focusColumns,
    query: `
      select amount_usd as "BilledCost", ${name}::text as "BillingAccountId", ${name}::text as "BillingAccountName",
        'USD' as "BillingCurrency", (${periodStart} + interval '1 month') at time zone 'UTC' as "BillingPeriodEnd",
        ${periodStart} at time zone 'UTC' as "BillingPeriodStart",
        case category when 'consumption' then 'Usage' when 'refund' then 'Adjustment' else 'Credit' end as "ChargeCategory",
        ${correction.length === 0 ? 'null::text' : `case ${correction.join(' ')} end`} as "ChargeClass",
        coalesce(${said('description')} || ': ' || ${said('item_description')}, ${said('description')},
          ${said('item_description')}) as "ChargeDescription",
        case category when 'consumption' then 'Usage-Based' else 'One-Time' end as "ChargeFrequency",
        date_trunc('second', case when until_at > start_at then until_at + interval '999999 microseconds'
          else start_at + interval '1 second' end) as "ChargePeriodEnd",
        date_trunc('second', start_at) as "ChargePeriodStart", ${quantity} as "ConsumedQuantity", ${unit} as "ConsumedUnit",
        amount_usd as "ContractedCost", amount_usd as "EffectiveCost", invoice_id::text as "InvoiceId",
        ${name}::text as "InvoiceIssuerName", amount_usd as "ListCost", ${quantity} as "PricingQuantity",
        ${unit} as "PricingUnit", ${name}::text as "ProviderName", ${name}::text as "PublisherName",
        case when ${isResource} then source end as "ResourceId",
        case when ${isResource} then ${said('own_label')} end as "ResourceName",
        case when ${isResource} then coalesce(${said('type')}, split_part(source, '-', 1)) end as "ResourceType",
        case when category <> 'consumption' then 'Other' when service in ('bwd', 'bwu') then 'Networking'
          when service = 'disk' or type = 'volume' then 'Storage' else 'Compute' end as "ServiceCategory",
        coalesce(${said('service')}, ${said('type')}, kind) as "ServiceName", null::text as "SubAccountId", basis as "x_Basis",
        entry_id as "x_EntryId", ${said('gpu_name')} as "x_GpuName", ${said('own_label')} as "x_Label"
      from (
        select entry.*, ${quantitySql} as measured
        from (${entriesSql(sqlText, { marketId, asOf, starts: { from, to } }).text}) as entry
        where disappeared_at is null and category in ('consumption', 'payment', 'refund')
          and (category <> 'payment' or type = 'credit')
        order by start_at, kind_no, entry_no, entry_id) as entry`,
  };
}
