import type { Account } from '../account/account.ts';
import type { InstanceState } from '../account/account-state.ts';
import { instanceRecord, type RecordRules } from '../account/instance-record.ts';
import { destroyedAtS, lastStep, stepAt } from '../account/life.ts';
import { readBid } from '../account/rent-request.ts';
import { InvalidArgs } from '../invalid-args.ts';
import { Refusal } from '../refusal.ts';
import { optionalString, readJsonObject } from '../request-body.ts';
import { type ApiRequest, ok, type Route } from './endpoint.ts';

/** Listing, reading, changing and destroying instances, and bid changes. Source: docs/marketplace.md#4-endpoints. */
export function instanceRoutes(account: Account, rules: RecordRules): Route[] {
  const path = '/api/v0/instances/{id}';
  const find = (request: ApiRequest): InstanceState => {
    const { identity } = request;
    const own = identity.instanceId === null || String(identity.instanceId) === request.id;
    if (!own) throw notAllowed();
    return account.instances.get(request.id, request.atS);
  };
  return [
    {
      endpoint: 'listInstances',
      method: 'GET',
      path: '/api/v0/instances',
      permission: 'instance_read',
      answer: ({ faults, atS }) => {
        account.instances.liveOn(atS);
        const shownAtS = atS - (faults.value('lagging-instances') ?? 0);
        const instances = account.state.instances.flatMap((instance) => {
          const step = shownStep(instance, shownAtS);
          return step === null ? [] : [instanceRecord(instance, step, atS, rules)];
        });
        const kept = faults.hide(instances);
        return ok({ instances_found: kept.length, instances: kept });
      },
    },
    {
      endpoint: 'getInstance',
      method: 'GET',
      path,
      permission: 'instance_read',
      answer: (request) => {
        const instance = find(request);
        return ok({ instances: instanceRecord(instance, lastStep(instance), request.atS, rules) });
      },
    },
    {
      endpoint: 'changeInstance',
      method: 'PUT',
      path,
      permission: 'instance_write',
      instanceKeys: true,
      answer: (request) => {
        change(account, find(request), request);
        return ok({ success: true });
      },
    },
    {
      endpoint: 'destroyInstance',
      method: 'DELETE',
      path,
      permission: 'instance_write',
      instanceKeys: true,
      answer: (request) => {
        account.instances.destroy(find(request), request.atS);
        return ok({ success: true });
      },
    },
    {
      endpoint: 'changeBid',
      method: 'PUT',
      path: '/api/v0/instances/bid_price/{id}',
      permission: 'instance_write',
      answer: (request) => {
        const price = readBid(readJsonObject(request.text));
        if (price === null) throw new Refusal(400, 'invalid_price', 'price is required');
        account.instances.changeBid(find(request), price, request.atS);
        return ok({ success: true });
      },
    },
  ];
}

function shownStep(instance: InstanceState, atS: number) {
  const step = stepAt(instance, atS);
  const gone = destroyedAtS(instance);
  return step === null || (gone !== null && gone <= atS) ? null : step;
}

/** `state` stops and starts, `label` renames; a restricted key may only do the former. Throws InvalidArgs. */
function change(
  account: Account,
  instance: InstanceState,
  { text, atS, identity, faults }: ApiRequest,
): void {
  const body = readJsonObject(text);
  const state = optionalString(body, 'state');
  const label = optionalString(body, 'label');
  if (state === null && label === null) throw new InvalidArgs('state or label is required');
  if (state !== null && state !== 'stopped' && state !== 'running') {
    throw new InvalidArgs(`state must be stopped or running, not ${JSON.stringify(state)}`);
  }
  if (label !== null && identity.kind === 'instance') throw notAllowed();
  if (label !== null && !faults.has('labels-ignored')) instance.label = label;
  if (state === 'stopped') account.instances.stop(instance, atS);
  if (state === 'running') account.instances.start(instance, atS);
}

const notAllowed = () =>
  new Refusal(403, 'auth_error', 'this key may only start, stop or destroy its own instance');
