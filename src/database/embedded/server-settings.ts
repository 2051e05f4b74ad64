import { totalmem } from 'node:os';
import { socketPort } from './socket-dir.ts';

/**
 * Superuser of the embedded cluster. Trusted without a password, because only its owner can enter the socket's folder.
 */
export const superuser = 'offerbook';

/** The program's database in the embedded cluster. */
export const databaseName = 'offerbook';

/**
 * The server's settings, sized for a laptop. They are passed at every start instead of stored in the cluster, so that a
 * newer program's settings reach an older cluster. fsync stays on.
 */
export function settingsFor(socketDir: string, memoryBytes = usableMemory()): Record<string, string> {
  return {
    listen_addresses: '',
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    port: String(socketPort),
    // Many processes may start and stop, each with its own pool; an unused connection slot costs almost nothing.
    max_connections: '300',
    shared_buffers: sharedBuffers(memoryBytes),
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    // WAL files are removed at once after a checkpoint, not kept for reuse. With a smaller maximum, the pages of a
    // 25,000-offer book would be written in full several times while it lands.
    max_wal_size: '512MB',
    min_wal_size: '32MB',
    wal_recycle: 'off',
    // The bundled server has pglz alone, which costs a fifth of a landing's time. The maximum above bounds the disk.
    wal_compression: 'off',
    checkpoint_timeout: '5min',
    autovacuum_naptime: '15s',
    jit: 'off',
    random_page_cost: '1.1',
    TimeZone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_line_prefix: '%m [%p] ',
    log_checkpoints: 'off',
    logging_collector: 'off',
    log_destination: 'stderr',
  };
}

/** Options of initdb besides the folder: UTF-8, ordered by code point on every system. */
export const initdbArguments: readonly string[] = [
  `--username=${superuser}`,
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--auth=trust',
  '--no-instructions',
];

/**
 * An eighth of the memory, up to 512 MB: enough to cache what reading a year of a whole market needs. Memory that is
 * not used is not allocated.
 */
function sharedBuffers(memoryBytes: number): string {
  const mb = Math.floor(memoryBytes / 8 / 1024 / 1024);
  return `${Math.max(128, Math.min(512, mb))}MB`;
}

/** The machine's memory, or a container's limit; a limit of 0 means none. */
const usableMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || totalmem());
