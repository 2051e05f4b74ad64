import { randomUUID } from 'node:crypto';
import { UserError } from '../core/errors.ts';
import { createAccount } from './account/account.ts';
import { type AccountState, emptyAccount } from './account/account-state.ts';
import { readMicroUsd } from './account/exact-usd.ts';
import { addPastRentals } from './account/past-rentals.ts';
import { payment } from './account/payments.ts';
import { withRentals } from './account/rented-gpus.ts';
import { accountRules, throttleRules } from './account-rules.ts';
import { createAdmin } from './admin.ts';
import { createApiHandler } from './api-handler.ts';
import { marketRoutes } from './endpoints/market-routes.ts';
import { parseFault } from './faults/fault-grammar.ts';
import { createFaultPlan } from './faults/fault-plan.ts';
import { createHttpServer } from './http-server.ts';
import { createKeyRing, scopedKey, sha256 } from './keys.ts';
import { createMarketModel } from './model/market-model.ts';
import type { OfferSource } from './offer-source.ts';
import { rentableOffers } from './rentable-offers.ts';
import { createReplay } from './replay.ts';
import { answerSearch } from './search.ts';
import type { Simulator, SimulatorOptions } from './simulator-options.ts';
import { createSshServer } from './ssh-server.ts';
import { loadSnapshot, type Snapshot, saveSnapshot } from './state-file.ts';
import { createThrottle } from './throttle.ts';
import { trueCharges, trueInstances, trueInvoices } from './truth.ts';
import { createVirtualClock } from './virtual-clock.ts';

export type { Simulator, SimulatorOptions } from './simulator-options.ts';

/**
 * Creates a simulated marketplace with every endpoint, specified and public, for one account. The generated market is a
 * pure function of seed, size and virtual time: it is the same market when created again, and `search` works for any
 * moment within decades.
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const { offersPerType = 1500, cap = 25_000, speed = 1, log } = options;
  const now = options.now ?? (() => new Date());
  const apiKey = options.apiKey ?? `simulated-${randomUUID()}`;
  const snapshot = options.state === undefined ? null : loadSnapshot(options.state);
  const seed = seedOf(options, snapshot);
  const offers = options.replay ? createReplay(options.replay) : createMarketModel({ seed, offersPerType });
  const clock = createVirtualClock({ now, speed, startAt: startOf(options, snapshot, offers, now()) });
  const atS = () => Math.floor(clock.now().getTime() / 1000);
  const state = snapshot?.account ?? emptyAccount(atS());
  state.nextId = Math.max(state.nextId, options.firstId ?? 0);
  const source = withRentals(offers, state);
  const rules = accountRules(options, seed);
  const account = createAccount({ state, rules, source, now: clock.now });
  if (options.pastRentals && snapshot === null) addPastRentals(account, { source, rules, untilS: atS() });
  addScopedKeys(state, options);
  const plan = createFaultPlan(rules.chance);
  plan.set((options.faults ?? []).map(parseFault));
  const save = () => {
    if (options.state === undefined || options.readOnlyState === true) return;
    const virtualMs = clock.now().getTime();
    saveSnapshot(options.state, { seed, realMs: now().getTime(), virtualMs, account: state });
  };
  const ssh = createSshServer();
  const server = createHttpServer({
    now,
    log,
    handle: createApiHandler({
      routes: marketRoutes({ source, account, rules, cap, secret: String(seed), sshPort: ssh.port }),
      admin: createAdmin(options.adminKey, () => simulator),
      identityOf: createKeyRing(apiKey, state),
      throttle: createThrottle(throttleRules(options), now).check,
      wrongKeyStatus: ({ path }) =>
        options.wrongKey === 'public' && !path.startsWith('/api/v0/instances') ? 404 : 401,
      faults: plan,
      now: clock.now,
      changed: save,
      log,
    }),
  });
  const simulator: Simulator = {
    async listen({ host = '127.0.0.1', port = 0 } = {}) {
      const address = await server.listen({ host, port });
      await ssh.listen(host);
      return address;
    },
    async close() {
      await Promise.all([server.close(), ssh.close()]);
      save();
    },
    now: clock.now,
    advance(seconds) {
      clock.advance(seconds);
      save();
    },
    search: (body, at = clock.now()) => answerSearch(source, body, at, cap),
    apiKey,
    recordedAt: source.recordedAt,
    requests: server.requests,
    setFaults: (faults) =>
      plan.set(faults.map((fault) => (typeof fault === 'string' ? parseFault(fault) : fault))),
    faults: plan.active,
    addKey(name, permissions) {
      const key = `scoped-${randomUUID()}`;
      state.keys.push(scopedKey(name, key, permissions));
      save();
      return key;
    },
    setInstancePhase(id, phase) {
      account.instances.force(id, phase, atS());
      save();
    },
    addInvoice({ amountUsd, at = clock.now(), description = 'Payment', paid = true, ...kind }) {
      const startS = Math.floor(at.getTime() / 1000);
      const invoice = payment({ ...kind, atS: startS, microUsd: readMicroUsd(amountUsd), description });
      const { id } = account.addInvoice(paid ? invoice : { ...invoice, endS: null });
      save();
      return id;
    },
    payInvoice(id) {
      account.payInvoice(id, atS());
      save();
    },
    removeInvoice(id) {
      account.removeInvoice(id);
      save();
    },
    offersAt: (at = clock.now(), { type = 'on-demand', storageGb = 8 } = {}) =>
      source.book({ type, storageGb, rentableOnly: false }, at).rows,
    rentableOffersAt: (at, book) => rentableOffers(source, book, at, cap),
    instances: () => trueInstances(account, atS()),
    charges: () => trueCharges(account, atS()),
    invoices: () => trueInvoices(account, atS()),
  };
  save();
  return simulator;
}

function seedOf({ seed }: SimulatorOptions, snapshot: Snapshot | null): number {
  if (snapshot === null) return seed ?? 1;
  if (seed !== undefined && seed !== snapshot.seed) {
    throw new UserError(
      `The state file belongs to a market of seed ${snapshot.seed}, not ${seed}: choose another file.`,
    );
  }
  return snapshot.seed;
}

/** Virtual time advances even while nothing runs, at the current speed. */
function startOf(options: SimulatorOptions, snapshot: Snapshot | null, source: OfferSource, now: Date): Date {
  if (snapshot !== null) {
    const { virtualMs, realMs } = snapshot;
    return new Date(virtualMs + Math.max(0, now.getTime() - realMs) * (options.speed ?? 1));
  }
  return options.startAt ?? source.recordedAt[0] ?? now;
}

/** Adds the options' keys, which replace those with the same name in the state. */
function addScopedKeys(state: AccountState, { scopedKeys = {} }: SimulatorOptions): void {
  for (const [name, { key, permissions }] of Object.entries(scopedKeys)) {
    state.keys = state.keys.filter((known) => known.name !== name && known.sha256 !== sha256(key));
    state.keys.push(scopedKey(name, key, permissions));
  }
}
