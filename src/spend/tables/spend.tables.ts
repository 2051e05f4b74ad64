import { literal, sqlText } from '../../database/sql-text.ts';
import { columnsOf, type ExportColumn } from '../../exports/export-column.ts';
import { groupWords } from '../bill-words.ts';
import { entriesSql } from '../entries.sql.ts';
import type { SpendGrouping, SpendScope } from '../spend-grouping.ts';
import { sumsSql } from '../sums.sql.ts';
import { entryNotes, rentalNotes, summaryNotes } from './column-notes.ts';
import { quantitySql, unitSql } from './measured.sql.ts';

/** A query whose columns have the names of an export's columns. */
export interface ExportQuery {
  columns: ExportColumn[];
  query: string;
}

/** Returns every entry that starts in the range, as known at `asOf`, including disappeared ones. */
export function spendEntries(scope: SpendScope & { market: string }): ExportQuery {
  const { marketId, asOf, from, to, market } = scope;
  return {
    columns: columnsOf(
      {
        kind: 'text',
        entryId: 'text',
        start: 'moment',
        end: 'moment',
        type: 'text',
        source: 'text',
        service: 'text',
        description: 'text',
        quantity: 'decimal',
        unit: 'text',
        amountUsd: 'usd',
        basis: 'text',
        gpuName: 'text',
        instanceId: 'integer',
        label: 'text',
        invoiceId: 'integer',
        market: 'text',
        firstSeenAt: 'moment',
        disappearedAt: 'moment',
      },
      entryNotes,
    ),
    // The order makes PostgreSQL compute the inner query separately, so that the quantity is parsed only once.
    query: `
      select kind, entry_id as "entryId", start_at as start, end_at as "end", type, source, service,
        coalesce(description || ': ' || item_description, description, item_description) as description,
        quantity, ${unitSql('quantity')} as unit, amount_usd as "amountUsd", basis, gpu_name as "gpuName",
        instance_id as "instanceId", label, invoice_id as "invoiceId", ${literal(market)}::text as market,
        first_seen_at as "firstSeenAt", disappeared_at as "disappearedAt"
      from (
        select entry.*, ${quantitySql} as quantity
        from (${entriesSql(sqlText, { marketId, asOf, starts: { from, to } }).text}) as entry
        order by start_at, kind_no, entry_no, entry_id) as entry`,
  };
}

/** The sums of `/api/spend`. */
export function spendSummary(
  scope: SpendScope & { market: string },
  groupBy: SpendGrouping,
  stackBy: SpendGrouping | null,
): ExportQuery {
  return {
    columns: columnsOf(
      {
        groupBy: 'text',
        key: 'text',
        stackBy: 'text',
        subkey: 'text',
        category: 'text',
        basis: 'text',
        amountUsd: 'usd',
        entries: 'integer',
        timeZone: 'text',
        market: 'text',
      },
      summaryNotes,
    ).map((column) => {
      const by = { key: groupBy, subkey: stackBy }[column.name];
      return by === undefined ? column : { ...column, sheetText: groupWords(by) };
    }),
    query: `
      select ${literal(groupBy)}::text as "groupBy", key, ${literal(stackBy)}::text as "stackBy", subkey, category, basis,
        "amountUsd"::numeric as "amountUsd", entries, ${literal(scope.timeZone)}::text as "timeZone",
        ${literal(scope.market)}::text as market
      from (${sumsSql(sqlText, scope, groupBy, stackBy).text}) as sums`,
  };
}

/** The rentals that Offerbook made and that began in the range. */
export function rentalTable({
  marketId,
  from,
  to,
  market,
}: Pick<SpendScope, 'marketId' | 'from' | 'to'> & { market: string }): ExportQuery {
  return {
    columns: columnsOf(
      {
        rentalId: 'text',
        instanceId: 'integer',
        state: 'text',
        reason: 'text',
        rentedBy: 'text',
        label: 'text',
        costCenter: 'text',
        offerId: 'integer',
        machineId: 'integer',
        hostId: 'integer',
        gpuName: 'text',
        numGpus: 'integer',
        type: 'text',
        diskGb: 'number',
        usdPerHour: 'usd',
        createdAt: 'moment',
        firstRunningAt: 'moment',
        endedAt: 'moment',
        market: 'text',
      },
      rentalNotes,
    ),
    query: `
      select r.id::text as "rentalId", r.instance_id as "instanceId", r.state, r.reason, r.rented_by as "rentedBy", r.label,
        coalesce(p.cost_center, r.cost_center) as "costCenter", r.offer_id as "offerId", r.machine_id as "machineId",
        r.host_id as "hostId", r.gpu_name as "gpuName", r.num_gpus as "numGpus", r.type::text as type,
        r.disk_gb as "diskGb", r.usd_per_hour as "usdPerHour", r.created_at as "createdAt",
        r.first_running_at as "firstRunningAt", r.ended_at as "endedAt", ${literal(market)}::text as market
      from rental r left join instance_plan p on p.market_id = r.market_id and p.instance_id = r.instance_id
      where r.market_id = ${marketId} and r.created_at >= ${literal(from)} and r.created_at < ${literal(to)}
      order by r.created_at, r.id`,
  };
}
