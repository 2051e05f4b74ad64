import type { Instance } from '../instance.ts';
import { amountOf, dateOf, idFrom, numberOf, switchOf, textOf } from '../wire/record-fields.ts';
import type { RecordFields, RowReading } from '../wire/record-rows.ts';

/**
 * Reads one instance record. Only an `id` is required, from the record or, for a record requested by id, `knownId`; any
 * other unreadable field is null. `actual_status` is passed on as it is. Source: docs/marketplace.md#22-instance.
 */
export function readInstanceRecord(
  row: RecordFields,
  raw: string,
  knownId: number | null = null,
): RowReading<Instance> {
  const instanceId = row.id === undefined ? knownId : idFrom(row.id);
  if (instanceId === null) return { rejected: row.id === undefined ? 'id: missing' : 'id: not readable' };
  if (knownId !== null && instanceId !== knownId) return { rejected: 'id: of another instance' };
  const isBid = switchOf(row.is_bid);
  return {
    instanceId,
    actualStatus: textOf(row.actual_status),
    intendedStatus: textOf(row.intended_status),
    currentState: textOf(row.cur_state),
    nextState: textOf(row.next_state),
    statusMessage: textOf(row.status_msg),
    sshHost: textOf(row.ssh_host),
    sshPort: portOf(row.ssh_port),
    publicIp: textOf(row.public_ipaddr)?.trim() ?? null,
    label: textOf(row.label),
    machineId: idFrom(row.machine_id),
    hostId: idFrom(row.host_id),
    gpuName: textOf(row.gpu_name),
    numGpus: idFrom(row.num_gpus),
    type: isBid === null ? null : isBid ? 'bid' : 'on-demand',
    image: textOf(row.image_uuid) ?? textOf(row.image),
    templateId: idFrom(row.template_id),
    startedAt: dateOf(row.start_date),
    endsAt: dateOf(row.end_date),
    uptimeMinutes: amountOf(row.uptime_mins),
    gpuUtilPercent: amountOf(row.gpu_util),
    diskSpaceGb: amountOf(row.disk_space),
    diskUsedGb: amountOf(row.disk_usage),
    baseUsdPerHour: amountOf(row.dph_base),
    listedUsdPerHour: amountOf(row.dph_total),
    storageUsdPerGbMonth: amountOf(row.storage_cost),
    minBidUsdPerHour: amountOf(row.min_bid),
    inetDownUsdPerGb: amountOf(row.inet_down_cost),
    inetUpUsdPerGb: amountOf(row.inet_up_cost),
    raw,
  };
}

function portOf(value: unknown): number | null {
  const port = numberOf(typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value);
  return port !== null && Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : null;
}
