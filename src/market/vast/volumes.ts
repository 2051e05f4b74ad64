/**
 * Volume creation: `PUT /api/v0/volumes`. Source: docs/marketplace.md#41-create-a-volume.
 * Auth: the acting key. Rate limit: `minIntervalSeconds.volumes`.
 * Quirks: created from a volume offer, whose search is public (extensions/volumes.ts); the response has the new
 * volume's name but no id.
 * Trust: created only if the response has `volume_name`; sent once.
 */

import type { CreateVolume } from '../volume.ts';
import { textOf } from '../wire/record-fields.ts';
import { brokenContract } from '../wire/record-rows.ts';
import type { Engines } from './call.ts';
import { isId } from './create-request.ts';
import type { Dialect } from './dialect.ts';
import { refuse } from './filter-rules.ts';

/** Creates the volume creation call over `engines`. */
export function createVolumeCreation(engines: Engines, dialect: Dialect): CreateVolume {
  const path = dialect.volumes.createPath;
  return async ({ volumeOfferId, sizeGb }, { signal } = {}) => {
    refuse([
      ...(isId(volumeOfferId) ? [] : [`volume offer ${volumeOfferId}: give its id, a whole number`]),
      ...(sizeGb === undefined || (Number.isInteger(sizeGb) && sizeGb >= 1)
        ? []
        : [`volume size ${sizeGb}: give whole GB, at least 1`]),
    ]);
    const body = { id: volumeOfferId, ...(sizeGb === undefined ? {} : { size: sizeGb }) };
    const { json } = await engines.act.send(
      { endpoint: 'volumes', method: 'PUT', path, body, repeat: 'never' },
      signal,
    );
    const volumeName = textOf(json.volume_name);
    if (volumeName === null) throw brokenContract(`PUT ${path}`, 'without `volume_name`');
    return { volumeName };
  };
}
