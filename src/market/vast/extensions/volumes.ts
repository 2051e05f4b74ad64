/**
 * Volume search, list and delete: `POST /api/v0/volumes/search/`, `GET` and `DELETE /api/v0/volumes/`. Public.
 * Source: docs/marketplace.md#41-create-a-volume.
 * Auth: the reading key for search (`misc`) and list (`instance_read`), the acting key for delete. Rate limit:
 * `minIntervalSeconds.volumes`, shared with volume creation.
 * Quirks: the id to delete goes in the body according to the documentation, in the query according to a client.
 * Trust: rows are read one by one, those without an id rejected and counted; deleted only with `success: true`.
 */

import type { Volume, VolumeCalls, VolumeOffer } from '../../volume.ts';
import { amountOf, dateOf, idFrom, textOf } from '../../wire/record-fields.ts';
import {
  brokenContract,
  type RecordFields,
  type RowReading,
  readRows,
  rowsUnder,
} from '../../wire/record-rows.ts';
import type { Engines } from '../call.ts';
import { isId } from '../create-request.ts';
import type { Dialect } from '../dialect.ts';
import { refuse } from '../filter-rules.ts';
import { findLimitProblem } from '../query-rules.ts';

/** Creates the volume calls over `engines`. */
export function createVolumeCalls(engines: Engines, dialect: Dialect): VolumeCalls {
  const { searchPath, listPath, deletePath, deleteIdIn, pageLimit } = dialect.volumes;
  const endpoint = 'volumes';
  return {
    async searchVolumeOffers({ machineId, volumeOfferId, limit = pageLimit } = {}, { signal } = {}) {
      const limitProblem = findLimitProblem(limit, 'volume offers');
      refuse(limitProblem === null ? [] : [limitProblem]);
      const body = {
        ...(machineId === undefined ? {} : { machine_id: { eq: machineId } }),
        ...(volumeOfferId === undefined ? {} : { id: { eq: volumeOfferId } }),
        limit,
      };
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
