import { timingSafeEqual } from 'node:crypto';
import { UserError } from '../core/errors.ts';
import { lifePhases } from './account/account-state.ts';
import type { ApiAnswer } from './endpoints/endpoint.ts';
import { faultText } from './faults/fault-grammar.ts';
import { InvalidArgs } from './invalid-args.ts';
import { sha256 } from './keys.ts';
import { Refusal } from './refusal.ts';
import { isJsonObject, type JsonObject, readJsonObject } from './request-body.ts';
import type { Simulator } from './simulator-options.ts';

type AdminCall = { method: string; path: string; key: string | null; text: string | null };

/**
 * Handles the requests by which tests control a simulator, with their own key: `GET` and `POST /admin/faults`
 * (`{faults: [text]}` replaces all), `POST /admin/clock` `{advance_seconds}`, `POST /admin/keys` `{name, permissions}`,
 * `POST /admin/instances` `{id, phase}`, and the actual state as `GET /admin/{instances,charges,invoices,requests}`.
 * Disabled without an admin key.
 */
export function createAdmin(adminKey: string | undefined, simulator: () => Simulator) {
  return ({ method, path, key, text }: AdminCall): ApiAnswer | null => {
    if (adminKey === undefined) return null;
    const action = actions[`${method} ${path.replace(/\/$/, '')}`];
    if (key === null || !isSame(key, adminKey)) {
      return { status: 403, body: { success: false, error: 'auth_error', msg: 'Invalid admin key' } };
    }
    if (action === undefined)
      return { status: 404, body: { success: false, error: 'not_found', msg: `no ${path}` } };
    try {
      return { status: 200, body: action(simulator(), method === 'POST' ? readJsonObject(text ?? '') : {}) };
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, body: error.body };
      if (!(error instanceof UserError)) throw error;
      return { status: 400, body: { success: false, error: 'invalid_args', msg: error.message } };
    }
  };
}

const actions: Readonly<Record<string, (simulator: Simulator, body: JsonObject) => object>> = {
  'GET /admin/faults': (simulator) => ({ faults: simulator.faults().map(faultText) }),
  'POST /admin/faults': (simulator, body) => {
    simulator.setFaults(strings(body, 'faults'));
    return { faults: simulator.faults().map(faultText) };
  },
  'POST /admin/clock': (simulator, { advance_seconds: seconds }) => {
    if (typeof seconds !== 'number' || !(seconds >= 0))
      throw new InvalidArgs('advance_seconds must be 0 or more');
    simulator.advance(seconds);
    return { now: simulator.now().toISOString() };
  },
  'POST /admin/keys': (simulator, body) => {
    const { name } = body;
    if (typeof name !== 'string') throw new InvalidArgs('name must be a string');
    return { key: simulator.addKey(name, strings(body, 'permissions')) };
  },
  'POST /admin/instances': (simulator, { id, phase: wanted }) => {
    const phase = lifePhases.find((candidate) => candidate === wanted);
    if (typeof id !== 'number' || phase === undefined) {
      throw new InvalidArgs(`id must be a number and phase one of ${lifePhases.join(', ')}`);
    }
    simulator.setInstancePhase(id, phase);
    return { success: true };
  },
  'GET /admin/instances': (simulator) => ({ instances: simulator.instances() }),
  'GET /admin/charges': (simulator) => ({ charges: simulator.charges() }),
  'GET /admin/invoices': (simulator) => ({ invoices: simulator.invoices() }),
  'GET /admin/requests': (simulator) => ({ requests: simulator.requests() }),
};

function strings(body: JsonObject, name: string): string[] {
  const value = isJsonObject(body) ? body[name] : null;
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) {
    throw new InvalidArgs(`${name} must be a list of strings`);
  }
  return value;
}

const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(expected)));
