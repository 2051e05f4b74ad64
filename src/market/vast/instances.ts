/**
 * Instances: list, get, create, stop, start and destroy. Source: docs/marketplace.md#4-endpoints.
 * Auth: the reading key (`instance_read`) for list and get, the acting key (`instance_write`) for the others; an
 * instance's own restricted key may stop, start and destroy that instance. Rate limit: one start per
 * `minIntervalSeconds` of createInstance, listInstances, getInstance, destroyInstance; stop and start share
 * changeInstance.
 * Quirks: the new id is `new_contract`; the create response contains a secret; a gone offer is 410 or `no_such_ask`;
 * only status, SSH host and port of the record are specified.
 * Trust: success only if the response says `success: true` or has the new id; an acting call is sent once and an
 * unclear response is `outcome: 'unknown'`; a 404 does not prove that an instance is destroyed.
 */
import type { InstanceCalls } from '../account.ts';
import type { CallOptions } from '../call.ts';
import type { Instance } from '../instance.ts';
import { idFrom } from '../wire/record-fields.ts';
import { brokenContract, isRecord, readRows, rowsUnder } from '../wire/record-rows.ts';
import { type Engines, pathOf, sendAct } from './call.ts';
import { findCreateProblems, isId, toCreateBody } from './create-request.ts';
import type { Dialect } from './dialect.ts';
import type { VastEngine } from './engine.ts';
import { refuse } from './filter-rules.ts';
import { readInstanceRecord } from './instance-record.ts';

/** The calls about instances, including single ones. */
export interface VastInstanceCalls extends InstanceCalls {
  /** Returns one instance. Throws MarketError `not_found` if the market knows none with this id. */
  getInstance: (instanceId: number, options?: CallOptions) => Promise<Instance>;
}

/** Creates the instance calls over `engines`. */
export function createInstanceCalls(engines: Engines, dialect: Dialect): VastInstanceCalls {
  const paths = dialect.instances;
  return {
    async listInstances({ signal } = {}) {
      const request = { endpoint: 'listInstances', method: 'GET', path: paths.listPath } as const;
      const { json, replacedCharacters } = await engines.read.send(
        { ...request, listKey: 'instances', repeat: 'always' },
        signal,
      );
      const rows = rowsUnder(json, 'instances', `GET ${paths.listPath}`);
      const { items, ...read } = await readRows(rows, (row, raw) => readInstanceRecord(row, raw));
      return {
        instances: items,
        rejected: read.rejected,
        found: idFrom(json.instances_found),
        replacedCharacters: replacedCharacters + read.replacedCharacters,
      };
    },
    async getInstance(instanceId, { signal } = {}) {
      refuseNoId(instanceId);
      const path = pathOf(paths.path, instanceId);
      const { json } = await engines.read.send(
        { endpoint: 'getInstance', method: 'GET', path, repeat: 'always' },
        signal,
      );
      const row = Array.isArray(json.instances) ? json.instances[0] : json.instances;
      if (!isRecord(row)) throw brokenContract(`GET ${path}`, 'without the instance');
      const { items, rejected } = await readRows([row], (fields, raw) =>
        readInstanceRecord(fields, raw, instanceId),
      );
      const [instance] = items;
      if (instance === undefined) throw brokenContract(`GET ${path}`, `with ${rejected[0]?.reason}`);
      return instance;
    },
    async createInstance(offerId, request, { signal, gate } = {}) {
      refuse(findCreateProblems(offerId, request, dialect));
      const path = pathOf(paths.createPath, offerId);
      const method = paths.createMethod;
      const body = toCreateBody(request, dialect);
      const secrets = Object.values(request.env ?? {}).filter((value) => value.length >= minSecretLength);
      const { json } = await engines.act.send(
        { endpoint: 'createInstance', method, path, body, secrets, gate, repeat: 'never' },
        signal,
      );
      const instanceId = idFrom(json.new_contract);
      if (instanceId === null) throw brokenContract(`${method} ${path}`, 'without `new_contract`');
      return { instanceId };
    },
    ...createInstanceSwitches(engines.act, dialect),
  };
}

/** Shorter values of `env` are words such as `true` or `8080`, not credentials. */
const minSecretLength = 6;

/** Creates stop, start and destroy, all that an instance's own key may do. */
function createInstanceSwitches(
  engine: VastEngine,
  dialect: Dialect,
): Pick<InstanceCalls, 'stopInstance' | 'startInstance' | 'destroyInstance'> {
  const { path, stopState, startState } = dialect.instances;
  const change = async (
    instanceId: number,
    state: string,
    signal: AbortSignal | undefined,
  ): Promise<void> => {
    await sendAct(engine, 'changeInstance', 'PUT', pathOf(path, checked(instanceId)), { state }, signal);
  };
  return {
    stopInstance: async (instanceId, { signal } = {}) => await change(instanceId, stopState, signal),
    startInstance: async (instanceId, { signal } = {}) => await change(instanceId, startState, signal),
    destroyInstance: async (instanceId, { signal } = {}) => {
      const target = pathOf(path, checked(instanceId));
      await sendAct(engine, 'destroyInstance', 'DELETE', target, undefined, signal);
    },
  };
}

function checked(instanceId: number): number {
  refuseNoId(instanceId);
  return instanceId;
}

/** Throws UserError for an invalid instance id. */
export const refuseNoId = (instanceId: number): void =>
  refuse(isId(instanceId) ? [] : [`instance ${instanceId}: give the instance's id, a whole number`]);
