import type { MarketClient } from '../../src/market/vast/client.ts';
import type { ChargeCalls } from '../../src/market/vast/extensions/charges.ts';
import type { VolumeCalls } from '../../src/market/volume.ts';
import { anyQuery, smallRecord } from './test-client.ts';

type Call = (client: MarketClient) => Promise<unknown>;

const day = { from: new Date('2026-01-01'), to: new Date('2026-02-01') };

/** An extension that the dialect has. */
export function present<T>(extension: T | null): T {
  if (extension === null) throw new Error('the dialect has this extension');
  return extension;
}

const charges = ({ extensions }: MarketClient): ChargeCalls => present(extensions.charges);
const volumes = ({ extensions }: MarketClient): VolumeCalls => present(extensions.volumes);

/** Every call that only reads, with an answer that is a success. */
export const readingCalls: Readonly<Record<string, { call: Call; good: object }>> = {
  searchOffers: { call: (client) => client.searchOffers(anyQuery), good: { offers: [smallRecord] } },
  listInstances: {
    call: (client) => client.listInstances(),
    good: { instances_found: 1, instances: [{ id: 7, actual_status: 'running' }] },
  },
  getInstance: {
    call: (client) => client.getInstance(7),
    good: { instances: { actual_status: null, ssh_host: 'h', ssh_port: 22 } },
  },
  searchTemplates: {
    call: (client) => client.searchTemplates(),
    good: { success: true, templates_found: 1, templates: [{ id: 1, name: 'n', image: 'i' }] },
  },
  readInvoicePage: {
    call: (client) => client.readInvoicePage(day, null),
    good: { success: true, count: 0, total: 0, next_token: null, results: [] },
  },
  readChargePage: {
    call: (client) => charges(client).readChargePage(day, null),
    good: { success: true, count: 0, total: 0, next_token: null, results: [] },
  },
  searchVolumeOffers: {
    call: (client) => volumes(client).searchVolumeOffers(),
    good: { offers: [{ id: 1 }] },
  },
  listVolumes: { call: (client) => volumes(client).listVolumes(), good: { volumes: [{ id: 1 }] } },
};

/** Every call that changes something; `actGood` is a success of each. */
export const actingCalls: Readonly<Record<string, Call>> = {
  createInstance: (client) => client.createInstance(5, { image: 'i', diskGb: 8 }),
  stopInstance: (client) => client.stopInstance(7),
  startInstance: (client) => client.startInstance(7),
  destroyInstance: (client) => client.destroyInstance(7),
  createTemplate: (client) => client.createTemplate({ name: 'n', image: 'i' }),
  editTemplate: (client) => client.editTemplate('0a1b', { name: 'm' }),
  deleteTemplate: (client) => client.deleteTemplate(1),
  createVolume: (client) => client.createVolume({ volumeOfferId: 3 }),
  changeBid: (client) => present(client.extensions.changeBid)(7, 0.5),
  changeLabel: (client) => present(client.extensions.changeLabel)(7, 'l'),
  deleteVolume: (client) => volumes(client).deleteVolume(3),
};

export const actGood = {
  success: true,
  new_contract: 9,
  volume_name: 'v',
  template: { id: 1, hash_id: '0a1c' },
};
