import { InvalidArgs } from '../invalid-args.ts';
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

/** The wanted instance, from template and request together. */
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
  volume: VolumeRequest | null;
}

/** `sizeGb` null: not given. Source: docs/marketplace.md#25-volume-of-an-instance. */
interface VolumeRequest {
  createNew: boolean;
  volumeId: number;
  sizeGb: number | null;
  mountPath: string;
}

const defaultDiskGb = 8;
const [lowestBidUsd, highestBidUsd] = [0.001, 128];

/**
 * Reads the body of a create by the rules for templates: scalars of the request override the template's (1), `env` and
 * `extra_filters` are merged by key and the request's win (2, 3), a template's `volume_info` is ignored (4). Throws
 * InvalidArgs; a 400 `invalid_price`; a 404 for an unknown template.
 */
export function readRentRequest(
  body: JsonObject,
  templateOf: (hashId: string) => TemplateState | null,
): RentRequest {
  const template = readTemplate(body, templateOf);
  const stored = template?.fields ?? {};
  const textOf = (name: string, templateName = name): string | null => {
    const fallback = stored[templateName];
    const given = optionalString(body, name);
    return given ?? (typeof fallback === 'string' ? fallback : null);
  };
  const onstart = textOf('onstart');
  if (onstart !== null) checkOnstart(onstart);
  const runtype = textOf('runtype') ?? 'args';
  checkRuntype(runtype);
  return {
    image: readImage(body, stored),
    diskGb: readDisk(body, stored),
    runtype,
    onstart,
    argsStr: textOf('args_str'),
    env: mergeEnv(body, stored),
    extraFilters: mergeExtraFilters(body, stored),
    label: optionalString(body, 'label'),
    bidUsdPerHour: readBid(body),
    startsStopped: readTarget(body),
    template,
    volume: readVolume(body),
  };
}

/** Returns the bid in a body, a decimal of $/hour; null: none. Throws a 400 `invalid_price`. */
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
): TemplateState | null {
  if (Object.hasOwn(body, 'template_id')) {
    throw new InvalidArgs(
      'template_id is not understood: send the hash_id of the template as template_hash_id',
    );
  }
  const hashId = optionalString(body, 'template_hash_id');
  if (hashId === null) return null;
  const template = templateOf(hashId);
  if (template === null) throw new Refusal(404, 'no_such_template', 'no template has this template_hash_id');
  return template;
}

function readImage(body: JsonObject, stored: JsonObject): string {
  const given = optionalString(body, 'image');
  const { image, tag } = stored;
  const fromTemplate =
    typeof image !== 'string'
      ? null
      : /:[^/]*$/.test(image) || typeof tag !== 'string'
        ? image
        : `${image}:${tag}`;
  const wins = given ?? fromTemplate;
  if (wins !== null && wins !== '') return wins;
  throw new InvalidArgs('image or template_hash_id is required');
}

function readDisk(body: JsonObject, stored: JsonObject): number {
  const recommended = stored.recommended_disk_space;
  const fallback = typeof recommended === 'number' ? recommended : defaultDiskGb;
  const disk = optionalNumber(body, 'disk') ?? fallback;
  if (disk <= 0) throw new InvalidArgs('disk must be above 0 GB');
  return disk;
}

function mergeEnv(body: JsonObject, stored: JsonObject): Environment {
  const fromTemplate: Environment = typeof stored.env === 'string' ? parseEnvFlags(stored.env) : {};
  const given = readEnvironment(optionalObject(body, 'env') ?? {});
  return { ...fromTemplate, ...given };
}

function mergeExtraFilters(body: JsonObject, stored: JsonObject): JsonObject {
  const fromTemplate = (stored.extra_filters ?? {}) as JsonObject;
  const given = optionalObject(body, 'extra_filters') ?? {};
  checkExtraFilters(given);
  return { ...fromTemplate, ...given };
}

function readTarget(body: JsonObject): boolean {
  const target = optionalString(body, 'target_state') ?? 'running';
  if (target !== 'running' && target !== 'stopped')
    throw new InvalidArgs('target_state must be running or stopped');
  return target === 'stopped';
}

function readVolume(body: JsonObject): VolumeRequest | null {
  const request = optionalObject(body, 'volume_info');
  if (request === null) return null;
  const createNew = required(optionalBoolean, request, 'create_new');
  const sizeGb = optionalInteger(request, 'size');
  if (createNew && sizeGb !== null && sizeGb < 1)
    throw new InvalidArgs('volume_info: size must be 1 GB or more');
  const volumeId = required(optionalInteger, request, 'volume_id');
  const mountPath = required(optionalString, request, 'mount_path');
  if (!mountPath.startsWith('/')) {
    throw new InvalidArgs('volume_info: mount_path must be an absolute path');
  }
  return { createNew, volumeId, sizeGb, mountPath };
}
