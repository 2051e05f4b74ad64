import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { Sql } from '../../src/database/connection.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import { type BillingPhase, type BillingTask, runBillingChild } from '../billing-task.ts';
import { invoiceText, moveInvoices } from '../moving-invoices.ts';
import type { Proof, ProofOptions } from '../proof.ts';
import { openProofDatabases } from '../proof-databases.ts';
import { createRandom } from '../seeded-random.ts';
import { billingRows, findBrokenBills, missingFrom, storedInvoices } from '../stored-invoices.ts';

interface BillingProofOptions extends Omit<ProofOptions, 'bookFiles'> {
  /** Invoices of the history. @default 100000 */
  entries?: number | undefined;
  /** Number of kills while pages are read, and while they are merged. @default 20 and 5 */
  kills?: Record<BillingPhase, number> | undefined;
  /** Approximate pages between two changes of the history. @default 20 */
  changeEveryMs?: number | undefined;
}

/** A part of the proof: its errors and counts. */
interface Finding {
  failures: string[];
  counts: Record<string, number>;
}

interface Stage {
  simulator: Simulator;
  sql: Sql;
  task: BillingTask;
  random: () => number;
}

const pageRows = 60;
/** Once the history no longer changes, two syncs detect vanished entries. */
const quietReadings = 2;

/**
 * Reads the history of a simulator for the first time while invoices appear, vanish and are paid, so that its pages
 * shift, with processes that are killed while they read and while they merge. Every invoice that existed throughout is
 * then stored once, and none that never existed. Once the history no longer changes, a usual sync makes it equal to the
 * simulator's, entry by entry, and reading all of it again changes no row.
 */
export async function proveBilling(options: BillingProofOptions): Promise<Proof> {
  const { entries = 100_000, seed, log } = options;
  const simulator = createSimulator({
    ...{ seed, offersPerType: 20, autoTopUp: null, faults: ['shifting-pages'], pastPayments: entries - 1 },
  });
  const databases = await openProofDatabases(options.server, log);
  try {
    const { url } = await simulator.listen();
    const { sql, target, drop } = await databases.create();
    const { id: marketId } = await ensureMarket(sql, 'billed', 'live');
    const task = { target, marketId, url, apiKey: simulator.apiKey, all: false };
    const stage: Stage = { simulator, sql, task, random: createRandom(seed) };
    const findings: Finding[] = [];
    for (const part of [readWhileMoving, compareWhenQuiet, readAgain]) {
      const finding = await part(stage, options);
      findings.push(finding);
      log.info(finding.counts, part.name);
    }
    await drop();
    const failures = findings.flatMap((finding) => finding.failures);
    const counts = Object.assign({}, ...findings.map((finding) => finding.counts)) as Proof['counts'];
    return { ok: failures.length === 0, failures, counts };
  } finally {
    await simulator.close();
    await databases.close();
  }
}

async function readWhileMoving(stage: Stage, options: BillingProofOptions): Promise<Finding> {
  const { simulator, sql, random } = stage;
  const before = simulator.invoices().map(invoiceText);
  const moving = moveInvoices(simulator, {
    random,
    everyMs: options.changeEveryMs ?? 20,
    onlyLately: () => isInParts(sql),
  });
  const reading = await readUnderKills(stage, options, before.length).finally(moving.stop);
  const after = new Set(simulator.invoices().map(invoiceText));
  const stored = await storedInvoices(sql);
  const throughout = before.filter((text) => after.has(text));
  const lost = missingFrom(throughout, stored);
  const plain = judgePlainWalk(reading.plainWalk, throughout);
  const made = stored.filter((text) => !moving.ever.has(text));
  const twice = stored.length - new Set(stored).size;
  return {
    failures: [
      ...reading.failures,
      ...(await findBrokenBills(sql)),
      ...(lost.length > 0 ? [`${lost.length} that were there throughout are missing: ${lost[0]}`] : []),
      ...(made.length > 0 ? [`${made.length} are stored that never were: ${made[0]}`] : []),
      ...(twice > 0 ? [`${twice} are stored twice`] : []),
      ...(plain.lost + plain.twice === 0
        ? ['a plain walk would have done as well: the checks prove nothing']
        : []),
    ],
    counts: {
      'invoices at first': before.length,
      ...reading.counts,
      'invoices that came meanwhile, dated as of the moment': moving.counts.added,
      'invoices that came meanwhile, dated back': moving.counts.backdated,
      'invoices that were paid meanwhile': moving.counts.paid,
      'invoices that vanished meanwhile': moving.counts.removed,
      'there throughout': throughout.length,
      'of them missing after the first reading': lost.length,
      'stored that never were, or stored twice': made.length + twice,
      'control: missing from a plain walk over the pages': plain.lost,
      'control: twice in it': plain.twice,
    },
  };
}

/** Counts what storing the pages directly would have lost and duplicated. */
function judgePlainWalk(
  ids: readonly number[],
  throughout: readonly string[],
): { lost: number; twice: number } {
  const seen = new Set(ids);
  const lost = throughout.filter((text) => !seen.has(Number((JSON.parse(text) as unknown[])[0])));
  return { lost: lost.length, twice: ids.length - seen.size };
}

/** Whether the first sync has switched from the whole window to its parts, which are not read again. */
async function isInParts(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ late: boolean }[]>`
    select bool_or(state <> 'open' or walk->>'round' = '2') as late from billing_sync`;
  return row?.late ?? false;
}

/** Crawls repeatedly, each time killed, until there were enough kills; then until the sync is complete. */
async function readUnderKills(
  { simulator, sql, task, random }: Stage,
  { kills: wanted = { paging: 20, merge: 5 } }: BillingProofOptions,
  entries: number,
): Promise<Finding & { plainWalk: number[] }> {
  const kills: Record<BillingPhase, number> = { paging: 0, merge: 0 };
  let plainWalk: number[] = [];
  const failures: string[] = [];
  // The pages of the whole window, then its parts, which become shorter.
  const pages = (2.25 * entries) / pageRows;
  const pagesAKill = pages / (wanted.paging + 2);
  let mergeMs = 20;
  let mergesDone = 0;
  while (failures.length === 0) {
    const isPaging = kills.paging < wanted.paging;
    const child = await runBillingChild(task, {
      page: isPaging ? 1 + Math.floor(2 * random() * pagesAKill) : null,
      mergeMs: kills.merge < wanted.merge ? mergeMs * random() : null,
    });
    if (child.trouble !== null) failures.push(child.trouble);
    if (child.killed && child.phase !== null) kills[child.phase] += 1;
    mergesDone = await countEnded(sql);
    if (mergesDone > 0) break;
    if (plainWalk.length === 0 && (await isInParts(sql))) plainWalk = await pagesOfTheWhole(sql);
    // Later and later into the merge, which lasts longer on a slow machine.
    if (child.phase === 'merge') mergeMs *= 2;
  }
  const asked = simulator.requests().filter(({ path }) => path.includes('/invoices')).length;
  const [reading] = await sql<{ pages: number; parts: number; moved: string | null; state: string }[]>`
    select pages, certificate->'parts' as parts, certificate->>'moved' as moved, state from billing_sync`;
  if (kills.paging < wanted.paging) failures.push(`only ${kills.paging} kills while pages were read`);
  if (kills.merge < 1) failures.push('no kill while pages were merged');
  if (reading?.state !== 'complete') failures.push(`the first reading is ${reading?.state ?? 'not there'}`);
  if (reading?.moved == null) failures.push('no page moved: the reading was not disturbed');
  // A page that was being requested at a kill may be requested again.
  const excess = asked - (reading?.pages ?? 0);
  if (excess > kills.paging + kills.merge) failures.push(`${excess} pages were asked for again`);
  return {
    failures,
    plainWalk,
    counts: {
      'kills while pages were read': kills.paging,
      'kills while pages were merged': kills.merge,
      'pages kept': reading?.pages ?? 0,
      'pages asked for again after a kill': excess,
      'parts that the window was read again in': reading?.parts ?? 0,
    },
  };
}

/** Ids of invoices in page order, which are kept until the parts are merged. */
async function pagesOfTheWhole(sql: Sql): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select (entry->>'invoiceId')::bigint as id from billing_staged where round = 1 order by page, place`;
  return rows.map(({ id }) => id);
}

async function countEnded(sql: Sql): Promise<number> {
  const [row] = await sql<
    { ended: number }[]
  >`select count(*) as ended from billing_sync where state <> 'open'`;
  return row?.ended ?? 0;
}

/** Syncs as usual, only what may have changed, and compares everything. */
async function compareWhenQuiet({ simulator, sql, task }: Stage): Promise<Finding> {
  const failures: string[] = [];
  for (let reading = 0; reading < quietReadings; reading += 1) {
    const { trouble } = await runBillingChild(task);
    if (trouble !== null) failures.push(trouble);
  }
  const truth = simulator.invoices().map(invoiceText);
  const stored = await storedInvoices(sql);
  const [missing, extra] = [missingFrom(truth, stored), missingFrom(stored, truth)];
  if (missing.length > 0) failures.push(`${missing.length} are missing: ${missing[0]}`);
  if (extra.length > 0) failures.push(`${extra.length} are too many: ${extra[0]}`);
  failures.push(...(await findBrokenBills(sql)));
  return {
    failures,
    counts: {
      'invoices at last, compared with those stored': truth.length,
      differences: missing.length + extra.length,
    },
  };
}

async function readAgain({ sql, task }: Stage): Promise<Finding> {
  const before = await billingRows(sql);
  const { trouble, end } = await runBillingChild({ ...task, all: true });
  const after = await billingRows(sql);
  const changed = missingFrom(after, before).length + missingFrom(before, after).length;
  const read = end?.certificate?.rows ?? 0;
  return {
    failures: [
      ...(trouble === null ? [] : [trouble]),
      ...(changed > 0 ? [`${changed} rows are others after a second reading of the whole`] : []),
    ],
    counts: {
      'invoices in a second reading of the whole': read,
      'rows compared around it': before.length,
      'rows that it changed': changed,
    },
  };
}
