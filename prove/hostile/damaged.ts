import { chmod, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { serversOn } from '../cluster-processes.ts';
import { addressOf } from '../crawl/service-process.ts';
import type { Proof, ProofOptions } from '../proof.ts';
import { openProofDatabases, type ProofDatabases } from '../proof-databases.ts';
import { createRandom } from '../seeded-random.ts';
import { findHalfBooks } from '../whole-books.ts';
import { runCommandProcess } from './command-process.ts';
import { damage } from './damage.ts';
import { type Tally, tryFile } from './damaged-tries.ts';
import { digestDatabase, emptyDatabase, listRelations } from './database-digest.ts';
import { recordedFile, undamagedBackup, undamagedImport } from './undamaged.ts';

const promisedFiles = 200;
/** Every this many files use an embedded database of their own. */
const embeddedEvery = 8;
const hourMs = 3_600_000;
/** Recent enough for every limit on dates, and old enough for all following hours. */
const firstMomentMs = 60 * 24 * hourMs;

interface Place {
  folder: string;
  databases: ProofDatabases;
  /** An intact backup, as a file. */
  backup: Buffer;
  seed: number;
  files: number;
  tally: Tally;
}

/** Gives damaged backups to `offerbook restore` and damaged books to `offerbook import`, half and half. */
export async function proveDamaged({
  seed,
  log,
  server,
  runs = promisedFiles,
}: ProofOptions): Promise<Proof> {
  const databases = await openProofDatabases(server, log);
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'offerbook-damaged-')));
  await chmod(folder, 0o755);
  const tally: Tally = { counts: {}, failures: [] };
  try {
    const backup = await makeBackup(databases, folder);
    const place = { folder, databases, backup, seed, tally };
    const half = Math.ceil(runs / 2);
    await restoreDamaged({ ...place, files: half });
    log.info({ done: half }, 'files');
    await importDamaged({ ...place, files: runs - half });
    log.info({ done: runs }, 'files');
  } finally {
    await databases.close();
    await removeCluster(join(folder, 'embedded'));
    await rm(folder, { recursive: true, force: true });
  }
  const { counts, failures } = tally;
  return { ok: failures.length === 0, counts: { 'damaged files': runs, ...counts }, failures };
}

/** A backup of imported books, made in the usual way. */
async function makeBackup(databases: ProofDatabases, folder: string): Promise<Buffer> {
  const database = await databases.create();
  const env = { DATABASE_URL: addressOf(database.target), DATA_DIR: join(folder, 'data') };
  const books = join(folder, 'books.jsonl');
  await writeFile(books, recordedFile(new Date(Date.now() - firstMomentMs)));
  const file = join(folder, 'whole.gz');
  for (const args of [
    ['import', books],
    ['backup', file],
  ]) {
    const { code, stderr } = await runCommandProcess(args, { env, killAfterMs: 60_000 });
    if (code !== 0) throw new Error(`${args[0]} failed: ${stderr}`);
  }
  await database.drop();
  return await readFile(file);
}

async function restoreDamaged({ folder, databases, backup, seed, files, tally }: Place): Promise<void> {
  const { failures } = tally;
  const random = createRandom(seed);
  const database = await databases.create();
  const { sql } = database;
  const env = { DATABASE_URL: addressOf(database.target), DATA_DIR: join(folder, 'data') };
  const undamaged = undamagedBackup(gunzipSync(backup).toString(), new Date());
  const whole = join(folder, 'whole.gz');
  await emptyDatabase(sql);
  const made = await runCommandProcess(['restore', whole], { env, killAfterMs: 60_000 });
  if (made.code !== 0) throw new Error(`the whole backup was refused: ${made.stderr}`);
  const restored = await digestDatabase(sql);
  await emptyDatabase(sql);
  for (let index = 0; index < files; index += 1) {
    const name = `restore ${index}`;
    const file = damage(undamaged, index, random);
    const isEmbedded = index % embeddedEvery === embeddedEvery - 1;
    const dataDir = join(folder, 'embedded', `of-${index}`);
    const own = isEmbedded ? { DATA_DIR: dataDir } : env;
    const end = await tryFile({ name, file, folder, command: 'restore', env: own, random }, tally);
    if (isEmbedded) {
      await requireNoServer(dataDir, name, tally);
      await removeCluster(dataDir);
      continue;
    }
    const found = await listRelations(sql);
    if (end === 'refused' && found.length > 0)
      failures.push(`${name}, ${file.kind}: left ${found.length} relations`);
    if (found.length > 0 && (await digestDatabase(sql)) !== restored) {
      failures.push(`${name}, ${file.kind}: restored what was not backed up`);
    }
    if (end === 'taken' && found.length === 0) failures.push(`${name}, ${file.kind}: said that it restored`);
    if (found.length > 0) await emptyDatabase(sql);
  }
  await database.drop();
}

async function importDamaged({ folder, databases, backup, seed, files, tally }: Place): Promise<void> {
  const { counts, failures } = tally;
  const random = createRandom(seed + 1);
  const database = await databases.create();
  const { sql } = database;
  const env = { DATABASE_URL: addressOf(database.target), DATA_DIR: join(folder, 'data') };
  const firstMs = Math.floor((Date.now() - firstMomentMs) / hourMs) * hourMs;
  const dataDir = join(folder, 'embedded', 'of-imports');
  let before = await digestDatabase(sql);
  for (let index = 0; index < files; index += 1) {
    const name = `import ${index}`;
    const undamaged = undamagedImport(new Date(firstMs + index * hourMs), backup);
    const file = damage(undamaged, index, random);
    const isEmbedded = index % embeddedEvery === embeddedEvery - 1;
    const own = isEmbedded ? { DATA_DIR: dataDir } : env;
    const end = await tryFile({ name, file, folder, command: 'import', env: own, random }, tally);
    if (isEmbedded) {
      await requireNoServer(dataDir, name, tally);
      continue;
    }
    const after = await digestDatabase(sql);
    if (after !== before) {
      // Complete books before the damage of a file may be stored.
      const half = await findHalfBooks(sql);
      failures.push(...half.map((what) => `${name}, ${file.kind}: ${what}`));
      if (end === 'refused')
        counts['refused imports with a book stored, whole'] =
          (counts['refused imports with a book stored, whole'] ?? 0) + 1;
    }
    before = after;
  }
  await removeCluster(dataDir);
  await database.drop();
}

const clusterOf = (dataDir: string): Promise<string> =>
  realpath(join(dataDir, 'pg')).catch(() => join(dataDir, 'pg'));

/** Counts the results on an embedded database, and processes left running. */
async function requireNoServer(dataDir: string, name: string, { counts, failures }: Tally): Promise<void> {
  counts['ends on an embedded database'] = (counts['ends on an embedded database'] ?? 0) + 1;
  // A process that was ended at once has asked its server to shut down, which goes on for a moment.
  for (let wait = 0; wait < 250; wait += 1) {
    if ((await serversOn(await clusterOf(dataDir))).length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  failures.push(`${name}: left a server running`);
}

async function removeCluster(dataDir: string): Promise<void> {
  const cluster = await clusterOf(dataDir);
  for (const ending of ['', '-run', '-start.lock', '-use.lock']) {
    await rm(`${cluster}${ending}`, { recursive: true, force: true });
  }
}
