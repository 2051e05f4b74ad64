import { InvalidArgs } from '../invalid-args.ts';
import type { MutantSwitch } from '../mutant-switch.ts';
import { Refusal } from '../refusal.ts';
import {
  type JsonObject,
  optionalBoolean,
  optionalInteger,
  optionalNumber,
  optionalObject,
  optionalString,
  required,
} from '../request-body.ts';
import type { TemplateState } from './account-state.ts';
import { type Environment, parseEnvFlags, readEnvironment } from './template-env.ts';
import { checkExtraFilters, checkOnstart, checkRuntype } from './template-fields.ts';

/** What an instance is to be, template and request taken together. */
export interface RentRequest {
  image: string;
  diskGb: number;
  runtype: string;
  onstart: string | null;
  argsStr: string | null;
  env: Environment;
  extraFilters: JsonObject;
  label: string | null;
  /** $/hour of a bid; null: on demand. */
  bidUsdPerHour: string | null;
  startsStopped: boolean;
  template: TemplateState | null;
  volume: VolumeWish | null;
}

/** Section 2.5. `sizeGb` null: not said. */
interface VolumeWish {
  createNew: boolean;
  volumeId: number;
  sizeGb: number | null;
  mountPath: string;
}

const defaultDiskGb = 8;
const [lowestBidUsd, highestBidUsd] = [0.001, 128];

/**
 * Reads the body of a create by the rules of section 4.3: scalars of the request win over the template's (1), `env`
 * and `extra_filters` are merged by key and the request's win (2, 3), a template's `volume_info` is nothing (4).
 * Throws InvalidArgs; a 400 `invalid_price`; a 404 for an unknown template.
 */
export function readRentRequest(
  body: JsonObject,
  templateOf: (hashId: string) => TemplateState | null,
  mutants: MutantSwitch,
): RentRequest {
  const template = readTemplate(body, templateOf, mutants);
  const stored = template?.fields ?? {};
  const textOf = (name: string, templateName = name): string | null => {
    const fallback = stored[templateName];
    const given = optionalString(body, name);
    if (typeof fallback === 'string' && mutants.has('create-template-scalar-wins')) return fallback;
    if (mutants.has('create-template-scalar-lost')) return given;
    return given ?? (typeof fallback === 'string' ? fallback : null);
  };
  const onstart = textOf('onstart');
  if (onstart !== null && !mutants.has('create-onstart-unlimited')) checkOnstart(onstart);
  const runtype = textOf('runtype') ?? 'args';
  if (!mutants.has('create-runtype-unchecked')) checkRuntype(runtype);
  return {
    image: readImage(body, stored, mutants),
    diskGb: readDisk(body, stored, mutants),
    runtype,
    onstart: mutants.has('create-onstart-ignored') ? null : onstart,
    argsStr: textOf('args_str'),
    env: mergeEnv(body, stored, mutants),
    extraFilters: mergeExtraFilters(body, stored, mutants),
    label: optionalString(body, 'label'),
    bidUsdPerHour: readBid(body),
    startsStopped: readTarget(body),
    template,
    volume: readVolume(body, stored, mutants),
  };
}

/** The price of a bid in a body, a decimal of $/hour; null: none. Throws a 400 `invalid_price`. */
export function readBid(body: JsonObject): string | null {
  const { price } = body;
  if (price === undefined || price === null) return null;
  if (typeof price !== 'number' || !(price >= lowestBidUsd && price <= highestBidUsd)) {
    throw new Refusal(400, 'invalid_price', `price must be ${lowestBidUsd} to ${highestBidUsd} $/hour`);
  }
  return String(price);
}

function readTemplate(
  body: JsonObject,
  templateOf: (hashId: string) => TemplateState | null,
  mutants: MutantSwitch,
): TemplateState | null {
  if (Object.hasOwn(body, 'template_id') && !mutants.has('create-template-id-accepted')) {
    throw new InvalidArgs(
      'template_id is not understood: send the hash_id of the template as template_hash_id',
    );
  }
  const hashId = optionalString(body, 'template_hash_id');
  if (hashId === null || mutants.has('create-template-ignored')) return null;
  const template = templateOf(hashId);
  if (template === null) throw new Refusal(404, 'no_such_template', 'no template has this template_hash_id');
  return template;
}

function readImage(body: JsonObject, stored: JsonObject, mutants: MutantSwitch): string {
  const given = optionalString(body, 'image');
  const { image, tag } = stored;
  const fromTemplate =
    typeof image !== 'string'
      ? null
      : /:[^/]*$/.test(image) || typeof tag !== 'string'
        ? image
        : `${image}:${tag}`;
  const wins = mutants.has('create-template-image-wins') ? (fromTemplate ?? given) : (given ?? fromTemplate);
  if (wins !== null && wins !== '') return mutants.has('create-image-ignored') ? 'another' : wins;
  if (mutants.has('create-template-id-accepted') && Object.hasOwn(body, 'template_id')) return 'unknown';
  throw new InvalidArgs('image or template_hash_id is required');
}

function readDisk(body: JsonObject, stored: JsonObject, mutants: MutantSwitch): number {
  const recommended = stored.recommended_disk_space;
  const usual = mutants.has('create-disk-default-other') ? 10 : defaultDiskGb;
  const fallback = typeof recommended === 'number' ? recommended : usual;
  const disk = optionalNumber(body, 'disk') ?? fallback;
  if (disk <= 0) throw new InvalidArgs('disk must be above 0 GB');
  return mutants.has('create-disk-ignored') ? fallback : disk;
}

function mergeEnv(body: JsonObject, stored: JsonObject, mutants: MutantSwitch): Environment {
  const convert = mutants.has('create-env-unconverted') ? (flags: string) => ({ flags }) : parseEnvFlags;
  const fromTemplate: Environment = typeof stored.env === 'string' ? convert(stored.env) : {};
  const given = mutants.has('create-env-unchecked')
    ? ((optionalObject(body, 'env') ?? {}) as Environment)
    : readEnvironment(optionalObject(body, 'env') ?? {});
  if (mutants.has('create-env-ports-lost')) return { ...fromTemplate, ...withoutPorts(given) };
  if (mutants.has('create-env-request-lost')) return fromTemplate;
  if (mutants.has('create-env-template-lost') && Object.keys(given).length > 0) return given;
  return mutants.has('create-env-template-wins')
    ? { ...given, ...fromTemplate }
    : { ...fromTemplate, ...given };
}

const withoutPorts = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('-p ')));

function mergeExtraFilters(body: JsonObject, stored: JsonObject, mutants: MutantSwitch): JsonObject {
  const fromTemplate = (stored.extra_filters ?? {}) as JsonObject;
  const given = optionalObject(body, 'extra_filters') ?? {};
  checkExtraFilters(given);
  if (mutants.has('create-extra-filters-request-lost')) return fromTemplate;
  if (mutants.has('create-extra-filters-template-lost') && Object.keys(given).length > 0) return given;
  return mutants.has('create-extra-filters-template-wins')
    ? { ...given, ...fromTemplate }
    : { ...fromTemplate, ...given };
}

function readTarget(body: JsonObject): boolean {
  const target = optionalString(body, 'target_state') ?? 'running';
  if (target !== 'running' && target !== 'stopped')
    throw new InvalidArgs('target_state must be running or stopped');
  return target === 'stopped';
}

function readVolume(body: JsonObject, stored: JsonObject, mutants: MutantSwitch): VolumeWish | null {
  const fromTemplate = mutants.has('create-template-volume-attached') ? (stored.volume_info ?? null) : null;
  const wish = optionalObject(body, 'volume_info') ?? (fromTemplate as JsonObject | null);
  if (wish === null) return null;
  const loose = (name: string) => mutants.has(`volume-info-unchecked:${name}`);
  const createNew = loose('create_new')
    ? wish.create_new === true
    : required(optionalBoolean, wish, 'create_new');
  const sizeGb = loose('size') ? Number(wish.size ?? 15) : optionalInteger(wish, 'size');
  if (createNew && sizeGb !== null && sizeGb < 1)
    throw new InvalidArgs('volume_info: size must be 1 GB or more');
  const volumeId = loose('volume_id')
    ? Number(wish.volume_id ?? 0)
    : required(optionalInteger, wish, 'volume_id');
  const mountPath = loose('mount_path')
    ? String(wish.mount_path)
    : required(optionalString, wish, 'mount_path');
  if (!mountPath.startsWith('/') && !loose('mount_path')) {
    throw new InvalidArgs('volume_info: mount_path must be an absolute path');
  }
  return {
    createNew: mutants.has('volume-info-create-new-turned') ? !createNew : createNew,
    volumeId,
    sizeGb,
    mountPath,
  };
}
