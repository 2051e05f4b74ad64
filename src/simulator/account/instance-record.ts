import { type Chance, purposeOf } from '../model/chance.ts';
import type { InstanceState, LifePhase, LifeStep } from './account-state.ts';
import { createdAtS } from './life.ts';

/** Dependencies of an instance's record. */
export interface RecordRules {
  chance: Chance;
  /** Address of the simulated SSH servers; port null: none. */
  ssh: () => { host: string; port: number | null };
}

const p = { load: purposeOf('gpu load'), disk: purposeOf('disk usage') };
const loadLastsS = 300;
const firstSshPort = 20_000;

/**
 * Returns an instance as served: nearly all fields of its offer and its own. The interface only describes
 * `actual_status`, `ssh_host` and `ssh_port`; the others are public knowledge. Source: docs/marketplace.md#22-instance.
 */
export function instanceRecord(
  instance: InstanceState,
  step: LifeStep,
  atS: number,
  rules: RecordRules,
): Record<string, unknown> {
  const { offer, id, diskGb } = instance;
  const computing = step.phase === 'running';
  const startS = createdAtS(instance);
  const baseUsd = Number(step.usdPerHour);
  const storageUsd = (Number(offer.storage_cost ?? 0) * diskGb) / 720;
  const ssh = rules.ssh();
  return {
    ...offer,
    id,
    ask_contract_id: offer.id,
    actual_status: statusOf(step.phase),
    intended_status: instance.intended,
    cur_state: computing || step.phase === 'loading' ? 'running' : 'stopped',
    next_state: instance.intended,
    status_msg: messages[step.phase] ?? null,
    ssh_host: ssh.host,
    ssh_port: ssh.port ?? firstSshPort + (id % 40_000),
    label: instance.label,
    image_uuid: instance.image,
    image_runtype: instance.runtype,
    image_args: instance.argsStr,
    onstart: instance.onstart,
    extra_env: Object.entries(instance.env),
    extra_filters: instance.extraFilters,
    template_id: instance.templateId,
    template_hash_id: instance.templateHashId,
    volume_info:
      instance.volumeId === null ? null : { volume_id: instance.volumeId, mount_path: instance.mountPath },
    start_date: startS,
    duration: typeof offer.end_date === 'number' ? offer.end_date - atS : null,
    uptime_mins: computing ? Math.floor((atS - step.fromS) / 60) : null,
    is_bid: instance.isBid,
    min_bid: offer.min_bid ?? null,
    dph_base: baseUsd,
    dph_total: baseUsd + storageUsd,
    storage_total_cost: storageUsd,
    instance: {
      discountTotalHour: 0,
      discountedTotalPerHour: baseUsd + storageUsd,
      diskHour: storageUsd,
      gpuCostPerHour: baseUsd,
      totalHour: baseUsd + storageUsd,
    },
    disk_space: diskGb,
    disk_usage: computing ? Math.round(diskGb * rules.chance(p.disk, id) * 10) / 10 : -1,
    gpu_util: computing ? gpuUtilOf(id, { atS, sinceS: step.fromS }, rules.chance) : null,
    ports: portsOf(instance),
    rentable: false,
    rented: true,
    jupyter_token: instance.jupyterToken,
  };
}

/** Returns the load of the GPUs, percent: 0 on an instance that has just begun to run, where nothing was started yet. */
const gpuUtilOf = (id: number, { atS, sinceS }: { atS: number; sinceS: number }, chance: Chance): number =>
  atS - sinceS < loadLastsS ? 0 : Math.floor(101 * chance(p.load, id, Math.floor(atS / loadLastsS)));

/** Returns the market's word for a phase. Source: docs/marketplace.md#3-states. */
function statusOf(phase: LifePhase): string | null {
  if (phase === 'created') return null;
  return phase === 'outbid' ? 'stopped' : phase;
}

const messages: Readonly<Partial<Record<LifePhase, string>>> = {
  loading: 'pulling the image',
  running: 'success, running',
  exited: 'the container crashed',
  unknown: 'no heartbeat from the host',
  offline: 'the host is disconnected',
  outbid: 'outbid',
};

function portsOf({ id, env, offer }: InstanceState): Record<string, { HostIp: string; HostPort: string }[]> {
  const mappings = Object.keys(env).filter((name) => name.startsWith('-p '));
  return Object.fromEntries(
    mappings.map((mapping, index) => {
      const container = mapping.slice(mapping.indexOf(':') + 1);
      const port = container.includes('/') ? container : `${container}/tcp`;
      const hostPort = String(firstSshPort + ((id + index + 1) % 40_000));
      return [port, [{ HostIp: String(offer.public_ipaddr ?? '0.0.0.0'), HostPort: hostPort }]];
    }),
  );
}
