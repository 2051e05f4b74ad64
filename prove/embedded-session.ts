// One user of the embedded database, in a separate process: opens it, queries until its input ends, prints its counts.
// Arguments: {"dataDir", "stateDir"?, "postgresBinaries"?, "pauseMs"?} as JSON. Any line on stdin, or its end, ends it.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { UserError } from '../src/core/errors.ts';
import { openEmbedded } from '../src/database/embedded/supervisor.ts';

/** The output of a session on stdout, one JSON object per line. */
export type SessionEvent =
  | { event: 'open'; socketDir: string; clusterDir: string; notice: string | null; serverStartedAt: string }
  | { event: 'tally'; queries: number; lost: number }
  | { event: 'closed'; queries: number; lost: number }
  | { event: 'failed'; userError: boolean; message: string };

interface SessionOptions {
  dataDir: string;
  stateDir?: string;
  postgresBinaries?: string;
  pauseMs?: number;
}

const tell = (event: SessionEvent): void => {
  process.stdout.write(`${JSON.stringify(event)}\n`);
};

async function runSession({ pauseMs = 2, ...options }: SessionOptions): Promise<void> {
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const handle = await openEmbedded({ ...options, log: silent });
  const { socketDir, port, user, database, clusterDir, notice } = handle;
  const ending = new AbortController();
  const counts = { queries: 0, lost: 0 };
  const sql = postgres({
    host: socketDir,
    port,
    user,
    database,
    max: 1,
    fetch_types: false,
    onclose: () => {
      if (!ending.signal.aborted) counts.lost += 1;
    },
  });
  const [server] = await sql`select pg_postmaster_start_time()::text as at`;
  tell({ event: 'open', socketDir, clusterDir, notice, serverStartedAt: String(server?.at) });
  void once(process.stdin.resume(), 'data').then(() => ending.abort());
  process.stdin.once('end', () => ending.abort());
  let progressAt = performance.now();
  while (!ending.signal.aborted) {
    // A lost connection is counted by `onclose`; the next query asks for a new one.
    await sql`select count(*) from pg_class`.catch(() => sleep(20));
    counts.queries += 1;
    if (performance.now() - progressAt > 25) {
      progressAt = performance.now();
      tell({ event: 'tally', ...counts });
    }
    await sleep(pauseMs);
  }
  await sql.end();
  await handle.close();
  tell({ event: 'closed', ...counts });
}

try {
  await runSession(JSON.parse(process.argv[2] ?? '{}') as SessionOptions);
  process.stdin.destroy();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  tell({ event: 'failed', userError: error instanceof UserError, message });
  process.exit(1);
}
