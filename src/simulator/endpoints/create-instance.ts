import type { Account } from '../account/account.ts';
import { readRentRequest } from '../account/rent-request.ts';
import type { OfferSource } from '../offer-source.ts';
import { Refusal } from '../refusal.ts';
import { readJsonObject } from '../request-body.ts';
import { type ApiAnswer, type ApiRequest, ok, type Route } from './endpoint.ts';

/** Renting an offer, by PUT or POST. Source: docs/marketplace.md#43-create-an-instance. */
export function createInstanceRoutes(account: Account, source: OfferSource): Route[] {
  const answer = (request: ApiRequest): ApiAnswer => {
    const { text, id, at, atS, faults } = request;
    const body = readJsonObject(text);
    const wanted = readRentRequest(body, account.templates.withHash);
    if (!/^\d{1,15}$/.test(id)) throw new Refusal(404, 'not_found', `there is no offer ${id}`);
    account.requireCredit(atS);
    const type = wanted.bidUsdPerHour === null ? 'on-demand' : 'bid';
    const table = source.book({ type, storageGb: wanted.diskGb, rentableOnly: false }, at);
    const offer = table.rows.find((row) => row.id === Number(id)) ?? null;
    const label = faults.has('labels-ignored') ? null : wanted.label;
    const { id: instanceId, apiKey } = account.instances.rent(offer, { ...wanted, label }, atS);
    return ok({ success: true, new_contract: instanceId, instance_api_key: apiKey });
  };
  const path = '/api/v0/asks/{id}';
  return ['PUT', 'POST'].map((method) => ({
    endpoint: 'createInstance',
    method,
    path,
    permission: 'instance_write',
    answer,
  }));
}
