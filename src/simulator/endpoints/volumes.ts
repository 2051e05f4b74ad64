import type { Account } from '../account/account.ts';
import { defaultVolumeGb } from '../account/volumes.ts';
import type { OfferSource } from '../offer-source.ts';
import { createOfferTable } from '../offer-table.ts';
import { optionalInteger, optionalString, readJsonObject, required } from '../request-body.ts';
import { answerSearch } from '../search.ts';
import { type ApiRequest, ok, type Route } from './endpoint.ts';

const path = '/api/v0/volumes';

/** Volumes; search, list and delete are public extensions. Source: docs/marketplace.md#41-create-a-volume. */
export function volumeRoutes(account: Account, cap: number): Route[] {
  const source: OfferSource = {
    recordedAt: [],
    book: (_query, at) => createOfferTable(account.volumeOffersAt(at)),
  };
  return [
    {
      endpoint: 'createVolume',
      method: 'PUT',
      path,
      permission: 'instance_write',
      answer({ text, atS }) {
        const body = readJsonObject(text);
        const offerId = required(optionalInteger, body, 'id');
        const sizeGb = optionalInteger(body, 'size') ?? defaultVolumeGb;
        const name = optionalString(body, 'name');
        const { volumeName } = account.volumes.create({ offerId, sizeGb, name }, atS);
        return ok({ success: true, volume_name: volumeName });
      },
    },
    {
      endpoint: 'searchVolumes',
      method: 'POST',
      path: `${path}/search`,
      permission: 'misc',
      answer: ({ text, at }) => answerSearch(source, readJsonObject(text), at, cap),
    },
    {
      endpoint: 'listVolumes',
      method: 'GET',
      path,
      permission: 'instance_read',
      answer: ({ faults }) => ok({ success: true, volumes: faults.hide(account.volumes.list()) }),
    },
    {
      endpoint: 'deleteVolume',
      method: 'DELETE',
      path,
      permission: 'instance_write',
      answer(request) {
        account.volumes.remove(readVolumeId(request), request.atS);
        return ok({ success: true });
      },
    },
  ];
}

/** From the query, as the public client sends it, or from the body, as its documentation says. */
function readVolumeId({ query, text }: ApiRequest): number {
  const id = query.get('id');
  const body = id !== null && /^\d+$/.test(id) ? { id: Number(id) } : readJsonObject(text);
  return required(optionalInteger, body, 'id');
}
