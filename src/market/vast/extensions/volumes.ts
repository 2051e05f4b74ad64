/**
 * Volume search, list and delete: `POST /api/v0/volumes/search/`, `GET` and `DELETE /api/v0/volumes/`. Public.
 *   Source: docs/marketplace.md#41-create-a-volume.
 * Auth: search (`misc`) and list (`instance_read`) the reading key, delete the acting key.
 * Rate limit: `minIntervalSeconds.volumes`, shared with volume creation.
 * Quirks: the id to delete goes in the body by the documentation, in the query by a client.
 * Trust: rows one by one, those without an id rejected and counted; deleted only with `success: true`.
 */

import type { MarketFilters } from '../../../core/market-filter.ts';
import type { RejectedRow } from '../../instance.ts';
import type { Volume, VolumeOffer } from '../../volume.ts';
import { amountOf, dateOf, idFrom, textOf } from '../../wire/record-fields.ts';
import {
  brokenContract,
  type RecordFields,
  type RowReading,
  readRows,
  rowsUnder,
} from '../../wire/record-rows.ts';
import type { CallOptions, Engines } from '../call.ts';
import { isId } from '../create-request.ts';
import type { Dialect } from '../dialect.ts';
import { offerFieldsOf } from '../filter-fields.ts';
import { findFilterProblems, refuse } from '../filter-rules.ts';
import { findLimitProblem } from '../query-rules.ts';

/** Which storage to find. */
export interface VolumeOfferQuery {
  /** By the market's field names, as in the offer search. */
  filters?: MarketFilters | undefined;
  /** @default the dialect's `volumes.pageLimit` */
  limit?: number | undefined;
}

/** The calls about volumes. All throw MarketError; wrong arguments are a UserError before anything is sent. */
export interface VolumeCalls {
  searchVolumeOffers: (
    query?: VolumeOfferQuery,
    options?: CallOptions,
  ) => Promise<{ offers: VolumeOffer[]; rejected: RejectedRow[] }>;
  listVolumes: (options?: CallOptions) => Promise<{ volumes: Volume[]; rejected: RejectedRow[] }>;
  deleteVolume: (volumeId: number, options?: CallOptions) => Promise<void>;
}

/** The volume calls over `engines`. */
export function createVolumeCalls(engines: Engines, dialect: Dialect): VolumeCalls {
  const { searchPath, listPath, deletePath, deleteIdIn, pageLimit } = dialect.volumes;
  const endpoint = 'volumes';
  return {
    async searchVolumeOffers({ filters = {}, limit = pageLimit } = {}, { signal } = {}) {
      const limitProblem = findLimitProblem(limit, 'volume offers');
      refuse([
        ...findFilterProblems(filters, offerFieldsOf(dialect)),
        ...(limitProblem === null ? [] : [limitProblem]),
      ]);
      const body = { ...filters, limit };
      const { json } = await engines.read.send(
        { endpoint, method: 'POST', path: searchPath, body, listKey: 'offers', repeat: 'always' },
        signal,
      );
      const rows = rowsUnder(json, 'offers', `POST ${searchPath}`);
      const { items, rejected } = await readRows(rows, readVolumeOffer);
      return { offers: items, rejected };
    },
    async listVolumes({ signal } = {}) {
      const request = {
        endpoint,
        method: 'GET',
        path: listPath,
        listKey: 'volumes',
        repeat: 'always',
      } as const;
      const { json } = await engines.read.send(request, signal);
      const { items, rejected } = await readRows(rowsUnder(json, 'volumes', `GET ${listPath}`), readVolume);
      return { volumes: items, rejected };
    },
    async deleteVolume(volumeId, { signal } = {}) {
      refuse(isId(volumeId) ? [] : [`volume ${volumeId}: give the volume's id, a whole number`]);
      const target = deleteIdIn === 'body' ? { body: { id: volumeId } } : { query: { id: String(volumeId) } };
      const { json } = await engines.act.send(
        { endpoint, method: 'DELETE', path: deletePath, ...target, repeat: 'unsent' },
        signal,
      );
      if (json.success !== true) throw brokenContract(`DELETE ${deletePath}`, 'without `success: true`');
    },
  };
}

function readVolumeOffer(row: RecordFields, raw: string): RowReading<VolumeOffer> {
  const volumeOfferId = idFrom(row.id);
  if (volumeOfferId === null) return { rejected: row.id === undefined ? 'id: missing' : 'id: not readable' };
  return {
    volumeOfferId,
    machineId: idFrom(row.machine_id),
    hostId: idFrom(row.host_id),
    diskSpaceGb: amountOf(row.disk_space),
    storageUsdPerGbMonth: amountOf(row.storage_cost),
    reliability: amountOf(row.reliability2 ?? row.reliability),
    raw,
  };
}

function readVolume(row: RecordFields, raw: string): RowReading<Volume> {
  const volumeId = idFrom(row.id);
  if (volumeId === null) return { rejected: row.id === undefined ? 'id: missing' : 'id: not readable' };
  return {
    volumeId,
    status: textOf(row.status),
    sizeGb: amountOf(row.disk_space),
    startedAt: dateOf(row.start_date),
    storageTotalCost: amountOf(row.storage_total_cost),
    machineId: idFrom(row.machine_id),
    instanceIds: Array.isArray(row.instances)
      ? row.instances.map((id) => idFrom(id)).filter((id) => id !== null)
      : null,
    raw,
  };
}
