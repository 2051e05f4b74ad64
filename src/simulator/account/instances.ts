import { randomBytes } from 'node:crypto';
import { InvalidArgs } from '../invalid-args.ts';
import { sha256 } from '../keys.ts';
import type { OfferRow } from '../offer-table.ts';
import { Refusal } from '../refusal.ts';
import type { AccountState, InstanceState, LifePhase, TemplateState } from './account-state.ts';
import { destroyedAtS, hasFailed, type LifeRules, lastStep, liveOn } from './life.ts';
import type { RentRequest } from './rent-request.ts';
import { defaultVolumeGb, type Volumes } from './volumes.ts';

export interface Instances {
  /**
   * Rents a rentable offer. Throws a 410 `no_such_ask` for any other, InvalidArgs for a disk that does not fit, a 400
   * `invalid_price` for a bid below the minimum, and `no_ssh_key_for_vm`.
   */
  rent(offer: OfferRow | null, request: RentRequest, atS: number): { id: number; apiKey: string };
  /** Returns the instances that exist at a moment, by id. */
  existingAt(atS: number): InstanceState[];
  /** Returns an existing instance; throws a 404 `no_such_instance`. */
  get(id: string, atS: number): InstanceState;
  stop(instance: InstanceState, atS: number): void;
  start(instance: InstanceState, atS: number): void;
  destroy(instance: InstanceState, atS: number): void;
  /** Throws InvalidArgs for an on-demand instance. */
  changeBid(instance: InstanceState, usdPerHour: string, atS: number): void;
  /** Forces an existing instance into a phase, for tests of random events. Throws a 404. */
  force(id: number, phase: LifePhase, atS: number): void;
  /** Advances all instances to a moment. */
  liveOn(atS: number): void;
}

/** The instances of an account. Source: docs/marketplace.md#3-states, docs/marketplace.md#4-endpoints. */
export function createInstances(options: {
  state: AccountState;
  rules: LifeRules & { sshKeyRegistered: boolean };
  takeId: () => number;
  volumes: Volumes;
}): Instances {
  const { state, rules, takeId, volumes } = options;
  const existingAt = (atS: number): InstanceState[] => {
    for (const instance of state.instances) liveOn(instance, rules, atS);
    return state.instances.filter((instance) => destroyedAtS(instance) === null);
  };
  const push = (instance: InstanceState, phase: LifePhase, atS: number, usdPerHour?: string) => {
    // The clock has whole seconds: a later event in the same second is never ordered before an earlier one.
    const { fromS, usdPerHour: present } = lastStep(instance);
    instance.steps.push({ phase, fromS: Math.max(atS, fromS), usdPerHour: usdPerHour ?? present });
  };
  return {
    rent(offer, request, atS) {
      if (offer === null || offer.rentable === false) {
        throw new Refusal(410, 'no_such_ask', 'this offer is not available any more');
      }
      checkFit(offer, request);
      if (offer.vms_enabled === true && !rules.sshKeyRegistered) {
        throw new Refusal(400, 'no_ssh_key_for_vm', 'register an SSH key before creating a VM instance');
      }
      const volumeId = volumeFor(request, volumes, atS);
      const apiKey = randomBytes(32).toString('hex');
      const instance = newInstance(takeId(), offer, request, { atS, volumeId, keySha256: sha256(apiKey) });
      state.instances.push(instance);
      if (request.template !== null) countCreation(state, request.template, atS);
      return { id: instance.id, apiKey };
    },
    existingAt,
    get(id, atS) {
      const instance = existingAt(atS).find((candidate) => String(candidate.id) === id);
      if (instance === undefined) throw new Refusal(404, 'no_such_instance', `there is no instance ${id}`);
      return instance;
    },
    stop(instance, atS) {
      instance.intended = 'stopped';
      const { phase } = lastStep(instance);
      if (phase !== 'stopped' && !hasFailed(phase)) push(instance, 'stopped', atS);
    },
    start(instance, atS) {
      instance.intended = 'running';
      if (lastStep(instance).phase === 'stopped') push(instance, 'loading', atS);
    },
    destroy(instance, atS) {
      push(instance, 'destroyed', atS);
    },
    changeBid(instance, usdPerHour, atS) {
      if (!instance.isBid) throw new InvalidArgs('this instance is not interruptible');
      push(instance, lastStep(instance).phase, atS, usdPerHour);
    },
    force(id, phase, atS) {
      const instance = existingAt(atS).find((candidate) => candidate.id === id);
      if (instance === undefined) throw new Refusal(404, 'no_such_instance', `there is no instance ${id}`);
      push(instance, phase, atS);
    },
    liveOn: existingAt,
  };
}

function checkFit(offer: OfferRow, request: RentRequest): void {
  const { disk_space: diskSpace, min_bid: minBid } = offer;
  if (typeof diskSpace === 'number' && request.diskGb > diskSpace) {
    throw new InvalidArgs(`disk: only ${diskSpace} GB can be had`);
  }
  if (
    request.bidUsdPerHour !== null &&
    typeof minBid === 'number' &&
    Number(request.bidUsdPerHour) < minBid
  ) {
    throw new Refusal(400, 'invalid_price', `price is below the minimum bid of ${minBid} $/hour`);
  }
}

function volumeFor({ volume }: RentRequest, volumes: Volumes, atS: number): number | null {
  if (volume === null) return null;
  if (!volume.createNew) return volumes.get(volume.volumeId).id;
  const wanted = { offerId: volume.volumeId, sizeGb: volume.sizeGb ?? defaultVolumeGb, name: null };
  return volumes.create(wanted, atS).id;
}

function newInstance(
  id: number,
  offer: OfferRow,
  request: RentRequest,
  made: { atS: number; volumeId: number | null; keySha256: string },
): InstanceState {
  const { bidUsdPerHour, template } = request;
  const usdPerHour = bidUsdPerHour ?? String(Number(offer.dph_base ?? 0));
  return {
    id,
    offer: { ...offer },
    steps: [{ fromS: made.atS, phase: request.startsStopped ? 'stopped' : 'created', usdPerHour }],
    diskGb: request.diskGb,
    isBid: bidUsdPerHour !== null,
    intended: request.startsStopped ? 'stopped' : 'running',
    label: request.label,
    image: request.image,
    runtype: request.runtype,
    onstart: request.onstart,
    argsStr: request.argsStr,
    env: { ...request.env },
    extraFilters: { ...request.extraFilters },
    templateId: template?.id ?? null,
    templateHashId: template?.hashId ?? null,
    volumeId: made.volumeId,
    mountPath: request.volume?.mountPath ?? null,
    keySha256: made.keySha256,
    jupyterToken: randomBytes(16).toString('hex'),
  };
}

/** Only the owner's templates are counted; public ones are the same for every account. */
function countCreation(state: AccountState, template: TemplateState, atS: number): void {
  if (!state.templates.includes(template)) return;
  template.countCreated += 1;
  template.recentCreateS = atS;
}
