import type { MarketFilters } from '../../src/core/market-filter.ts';
import type { PricingType } from '../../src/core/offer.ts';
import type { Runtype } from '../../src/market/template.ts';
import type { MarketClient } from '../../src/market/vast/client.ts';
import type { VolumeAttachment } from '../../src/market/volume.ts';

/** Arguments of a call in the market's words, as wire files have them. */
interface SpokenArguments {
  id: number;
  offer: number;
  type: PricingType;
  limit: number;
  storage: number;
  image: string;
  disk: number;
  onstart: string;
  env: Record<string, string>;
  runtype: Runtype;
  template_hash_id: string;
  volume_info: { create_new: boolean; volume_id: number; size: number; mount_path: string };
  size: number;
  name: string;
  tag: string;
  hash_id: string;
  template_id: number;
  recommended_disk_space: number;
  private: boolean;
  filters: MarketFilters;
  when: { gte?: number; lt?: number };
  token: string;
}

type Call = (client: MarketClient, given: SpokenArguments) => Promise<unknown>;

/** The client's calls by the names that wire files use. Only here do the two vocabularies meet. */
const calls: Readonly<Record<string, Call>> = {
  searchOffers: (client, { type, limit, storage }) =>
    client.searchOffers({ type, limit, allocatedStorageGb: storage, rentable: true, order: 'id' }),
  listInstances: (client) => client.listInstances(),
  getInstance: (client, { id }) => client.getInstance(id),
  createInstance: (client, { offer, image, disk, onstart, env, runtype, template_hash_id, volume_info }) =>
    client.createInstance(offer, {
      image,
      diskGb: disk,
      onstart,
      env,
      runtype,
      templateHashId: template_hash_id,
      volume: volume_info === undefined ? undefined : attachmentOf(volume_info),
    }),
  stopInstance: (client, { id }) => client.stopInstance(id),
  startInstance: (client, { id }) => client.startInstance(id),
  destroyInstance: (client, { id }) => client.destroyInstance(id),
  createVolume: (client, { id, size }) => client.createVolume({ volumeOfferId: id, sizeGb: size }),
  searchTemplates: (client, { filters }) => client.searchTemplates({ filters }),
  createTemplate: (client, { name, image, onstart, recommended_disk_space, private: isPrivate }) =>
    client.createTemplate({ name, image, onstart, recommendedDiskGb: recommended_disk_space, isPrivate }),
  editTemplate: (client, { hash_id, tag }) => client.editTemplate(hash_id, { tag }),
  deleteTemplate: (client, { template_id }) => client.deleteTemplate(template_id),
  listInvoices: (client, { when, limit, token }) =>
    client.readInvoicePage({ from: dateOf(when.gte), to: dateOf(when.lt), limit }, token ?? null),
};

/** Makes the call that a wire file names, `getInstance {"id":77}`. Throws for an unknown name. */
export async function makeCall(client: MarketClient, spoken: string): Promise<unknown> {
  const [, name = '', given = '{}'] = /^(\w+) (\{.*\})$/.exec(spoken) ?? [];
  const call = calls[name];
  if (call === undefined) throw new Error(`the client has no call for: ${spoken.slice(0, 80)}`);
  return await call(client, JSON.parse(given) as SpokenArguments);
}

function attachmentOf(info: SpokenArguments['volume_info']): VolumeAttachment {
  const { volume_id: id, mount_path: mountPath, size: sizeGb } = info;
  return info.create_new
    ? { kind: 'new', volumeOfferId: id, sizeGb, mountPath }
    : { kind: 'existing', volumeId: id, mountPath };
}

const dateOf = (seconds: number | undefined): Date | undefined =>
  seconds === undefined ? undefined : new Date(seconds * 1_000);
