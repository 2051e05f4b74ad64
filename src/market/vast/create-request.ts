import { findEnvProblems } from '../env-flags.ts';
import type { InstanceRequest } from '../instance-request.ts';
import { runtypes } from '../template.ts';
import type { VolumeAttachment } from '../volume.ts';
import type { Dialect } from './dialect.ts';
import { offerFieldsOf } from './filter-fields.ts';
import { findFilterProblems } from './filter-rules.ts';
import { findOnstartProblem } from './onstart.ts';

/** Returns the problems of a create request, one sentence each with what to do; none: it can be sent. */
export function findCreateProblems(offerId: number, request: InstanceRequest, dialect: Dialect): string[] {
  const { image, templateHashId, diskGb, onstart, env, volume, extraFilters, bidUsdPerHour } = request;
  const problems = [
    isId(offerId) ? null : `offer ${offerId}: give the offer's id, a whole number`,
    image === undefined && templateHashId === undefined ? 'give an image, a template hash or both' : null,
    image !== undefined && image.trim() === '' ? 'image is empty: leave it out to take the template’s' : null,
    templateHashId === undefined ? null : findHashProblem(templateHashId),
    Number.isFinite(diskGb) && diskGb > 0 ? null : `diskGb ${diskGb}: give the GB of disk, above 0`,
    onstart === undefined ? null : findOnstartProblem(onstart),
    request.runtype === undefined ? null : findRuntypeProblem(request.runtype),
    request.label === undefined || dialect.instances.labelParameter !== null
      ? null
      : 'this market has no labels (instances.labelParameter): leave the label out',
    bidUsdPerHour === undefined ? null : findBidProblem(bidUsdPerHour, dialect),
  ].filter((problem) => problem !== null);
  return [
    ...problems,
    ...findEnvProblems(env ?? {}),
    ...(volume === undefined ? [] : findVolumeProblems(volume)),
    ...findFilterProblems(extraFilters ?? {}, offerFieldsOf(dialect), 'extraFilters'),
  ];
}

/** Returns a create's body; label and bid depend on the dialect. Source: docs/marketplace.md#43-create-an-instance. */
export function toCreateBody(request: InstanceRequest, { instances, bid }: Dialect): Record<string, unknown> {
  const { volume, label, bidUsdPerHour } = request;
  const labelName = instances.labelParameter;
  return withoutUndefined({
    image: request.image,
    disk: request.diskGb,
    onstart: request.onstart,
    template_hash_id: request.templateHashId,
    env: request.env,
    volume_info: volume === undefined ? undefined : toVolumeInfo(volume),
    runtype: request.runtype,
    args_str: request.args,
    extra_filters: request.extraFilters,
    ...(labelName === null ? {} : { [labelName]: label }),
    [bid.priceParameter]: bidUsdPerHour,
  });
}

/** Returns why a template's `hash_id` is invalid, or null; the numeric id does not work here. */
export function findHashProblem(hashId: string): string | null {
  if (/^\d{1,15}$/.test(String(hashId))) {
    return `template ${hashId} is a numeric id: give the template's hash_id, which \`offerbook templates\` shows`;
  }
  return typeof hashId === 'string' && /^\S+$/.test(hashId)
    ? null
    : 'the template hash is empty or has blanks';
}

/** Returns why a bid ($/hour for the whole machine) cannot be sent; null: it can. */
export function findBidProblem(usdPerHour: number, { bid }: Dialect): string | null {
  const isBid = Number.isFinite(usdPerHour) && usdPerHour > 0;
  if (isBid && usdPerHour >= bid.minUsdPerHour && usdPerHour <= bid.maxUsdPerHour) return null;
  return `bid ${usdPerHour}: give $/hour of the whole machine from ${bid.minUsdPerHour} to ${bid.maxUsdPerHour}`;
}

/** Returns why a runtype is invalid; null: it is valid. */
export const findRuntypeProblem = (runtype: string): string | null =>
  (runtypes as readonly string[]).includes(runtype)
    ? null
    : `runtype "${runtype}": there are ${runtypes.join(', ')}`;

/** Whether a number can be one of the market's ids. */
export const isId = (id: number): boolean => Number.isSafeInteger(id) && id >= 0;

/** Returns `fields` without undefined ones. */
export const withoutUndefined = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function findVolumeProblems(volume: VolumeAttachment): string[] {
  const { kind, mountPath } = volume;
  const id = kind === 'new' ? volume.volumeOfferId : volume.volumeId;
  return [
    isId(id) ? null : `volume ${id}: give ${kind === 'new' ? "a volume offer's" : "the volume's"} id`,
    kind === 'existing' || (Number.isInteger(volume.sizeGb) && volume.sizeGb >= 1)
      ? null
      : `volume size ${volume.sizeGb}: give whole GB, at least 1`,
    /^\/[^\0]*$/.test(mountPath) && mountPath !== '/'
      ? null
      : `volume mount path "${mountPath}": give a path inside the container, as in /data`,
  ].filter((problem) => problem !== null);
}

const toVolumeInfo = (volume: VolumeAttachment): object =>
  volume.kind === 'new'
    ? {
        create_new: true,
        volume_id: volume.volumeOfferId,
        size: volume.sizeGb,
        mount_path: volume.mountPath,
      }
    : { create_new: false, volume_id: volume.volumeId, mount_path: volume.mountPath };
