import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createProgram } from '../../src/cli.ts';
import { defaultDialect } from '../../src/market/vast/dialect.ts';
import { loadConfig } from '../../src/service/config.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createTestContext, type InProcessEnd, runInProcess } from '../support/run-in-process.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';

it('rents, connects, renames, stops, starts and destroys from the command line; a guard exits with 4, a destroy asks for confirmation', async () => {
  const { target, sql } = await createTestDatabase();
  let aheadMs = 0;
  const simulator = createSimulator({
    ...{ offersPerType: 60, bootSeconds: [60, 60], failures: { exited: 0, unknown: 0, offline: 0 } },
    now: () => new Date(Date.now() + aheadMs),
  });
  const { url } = await simulator.listen();
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-rent-'));
  onTestFinished(async () => {
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  const dialectFile = join(folder, 'dialect.json');
  const none = Object.fromEntries(Object.keys(defaultDialect.minIntervalSeconds).map((name) => [name, 0]));
  await writeFile(dialectFile, JSON.stringify({ minIntervalSeconds: none }));
  const configOf = (more: Record<string, string>) =>
    loadConfig({
      ...{ MARKET_URL: url, MARKET_API_KEY: simulator.apiKey, MARKET_DIALECT: dialectFile, ACTIONS: 'on' },
      ...{ DATABASE_URL: databaseUrl(target), DATA_DIR: folder, OFFERBOOK_TOKEN: 'token-of-the-test' },
      ...{ MAX_USD_PER_HOUR: '50', MAX_TOTAL_USD_PER_HOUR: '50', MAX_INSTANCES: '1' },
      ...{ SEARCHES_PER_MINUTE: '1000', ...more },
    });
  const run = async (args: string[], more: Record<string, string> = {}) =>
    await runInProcess(args, configOf(more));
  const offersNow = () =>
    simulator
      .offersAt(undefined, { storageGb: 20 })
      .filter((row) => row.rentable === true && row.vms_enabled !== true && Number(row.disk_space) >= 20);
  const offers = offersNow();
  const request = [
    'rent',
    '--offer',
    String(offers[0]?.id),
    '--image',
    'ubuntu',
    '--disk',
    '20',
    '--label',
    'job',
  ];

  // The best of a watch, by its name.
  const ofWatch = ['rent', '--watch', 'mine', '--image', 'ubuntu', '--disk', '20', '--dry-run'];
  const unknown = await run(ofWatch);
  expect([unknown.code, unknown.notes]).toEqual([2, [expect.stringContaining('There is no watch mine')]]);
  expect((await run(['crawl', 'offers', '--type', 'on-demand'])).code).toBe(0);
  expect((await run(['watch', 'add', '--name', 'mine', '--rank-by', 'usdPerGpuHour'])).code).toBe(0);
  expect((await run(ofWatch)).stdout).toMatch(/^Offer \d+: .*Nothing was sent/s);

  const dry = await run([...request, '--dry-run']);
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining('Nothing was sent')]);
  expect(dry.stdout).toMatch(/^Price verdict: no verdict yet: .*\.$/m);
  const repriced = async (factor: number) =>
    await sql`update latest_offer set base_usd_per_hour = base_usd_per_hour * ${factor}
      where (select offer_id from listing where id = listing_id) = ${Number(offers[0]?.id)} returning listing_id`;
  expect(await repriced(0.01)).toHaveLength(1);
  expect((await run([...request, '--dry-run'])).stdout).toMatch(
    /^Price verdict: outlier: below a quarter of the usual price of 30 days, so look twice at the machine\.$/m,
  );
  await repriced(100);
  for (const none of ['', 'null']) {
    const without = await run(['rent', '--offer', none, ...request.slice(3), '--dry-run']);
    expect([without.code, without.notes.join()]).toEqual([2, expect.stringContaining('No offer was given.')]);
  }
  const refused = await run([...request, '--key', 'a'], { MAX_INSTANCES: '0' });
  expect([refused.code, refused.notes.at(-1)]).toEqual([
    4,
    expect.stringMatching(/MAX_INSTANCES is 0\.\nmax-instances limit 0, value 0$/),
  ]);
  expect(simulator.instances()).toEqual([]);

  const first = await run([...request, '--key', 'a', '--json']);
  const again = await run([...request, '--key', 'a', '--json']);
  expect([first.code, again.code]).toEqual([0, 0]);
  const { instanceId } = JSON.parse(first.stdout) as { instanceId: number };
  expect(JSON.parse(again.stdout)).toMatchObject({ instanceId });
  expect(simulator.instances()).toHaveLength(1);
  const shown = await run(['instances']);
  expect(shown.stdout).toMatch(new RegExp(`${instanceId} +job +starting`));

  expect(await run(['ssh', 'job', '--wait', '0'])).toMatchObject({ code: 0, notes: [] });
  const waited: InProcessEnd = { code: 0, stdout: '', notes: [] };
  const waiting = createProgram(createTestContext(configOf({}), waited)).parseAsync(['ssh', 'job'], {
    from: 'user',
  });
  await vi.waitUntil(() => waited.notes.length > 0, 120_000);
  aheadMs = 120_000;
  expect((await run(['crawl', 'instances'])).stdout).toMatch(/running +1/);
  await waiting;
  expect(waited).toMatchObject({
    notes: ['job is starting. Waiting up to 10 min…'],
    ...{ code: 0, stdout: expect.stringMatching(/^ssh -p \d+ root@\S+\n$/) },
  });
  const named = await run(['label', 'job', '--label', 'kept', '--cost-center', 'research', '--json']);
  expect(JSON.parse(named.stdout)).toMatchObject({ label: 'kept', costCenter: 'research', instanceId });
  const endsAt = new Date(Date.now() + aheadMs + 600_000).toISOString();
  const limited = await run([
    'limits',
    'kept',
    '--ends-at',
    endsAt,
    '--idle-minutes',
    '30',
    '--max-usd',
    '12',
  ]);
  expect(limited.stdout).toMatch(
    / is stopped at .* after 30 minutes with GPU use under 5%, or once it has cost \$12, /,
  );
  expect((await run(['crawl', 'instances'])).code).toBe(0);
  expect((await run(['instances'])).notes.join(' ')).toContain(
    `\`offerbook extend ${instanceId}\` puts it off`,
  );
  const extended = JSON.parse((await run(['extend', 'kept', '--json'])).stdout) as { endsAt: string };
  expect(Date.parse(extended.endsAt) - Date.parse(endsAt)).toBe(3_600_000);
  expect((await run(['extend', 'kept'])).code).toBe(1);
  const freed = await run([
    'limits',
    'kept',
    '--ends-at',
    'none',
    '--idle-minutes',
    'none',
    '--max-usd',
    'none',
  ]);
  expect(freed.stdout).toBe(`Instance ${instanceId} has no limits.\n`);
  expect((await run(['limits', 'kept'])).stdout).toBe(freed.stdout);
  expect((await run(['limits', 'kept', '--warn-minutes', '5'])).code).toBe(2);
  const gone = await run(['ssh', 'job']);
  expect([gone.code, gone.notes.join(' ')]).toEqual([2, expect.stringContaining('offerbook instances')]);

  const diskUsdPerDay = (Number(offers[0]?.storage_cost) * 20 * 24) / 720;
  const stopped = await run(['stop', 'kept']);
  expect([stopped.code, stopped.stdout]).toEqual([
    0,
    `Instance ${instanceId} is being stopped; then it costs $${diskUsdPerDay.toFixed(4)} a day for 20 GB of disk until destroyed.\n`,
  ]);
  expect(simulator.instances()[0]?.phase).toBe('stopped');
  const started = await run(['start-instance', 'kept']);
  const usdPerHour = Number(offers[0]?.dph_base) + diskUsdPerDay / 24;
  expect([started.code, started.stdout]).toEqual([
    0,
    `Instance ${instanceId} starts: $${usdPerHour.toFixed(4)}/hour once it runs.\n`,
  ]);
  expect(simulator.instances()[0]?.intended).toBe('running');
  const asked = await run(['destroy', 'kept']);
  expect([asked.code, simulator.instances()[0]?.destroyedS]).toEqual([2, null]);
  expect((await run(['destroy', 'kept', '--yes'])).code).toBe(0);
  expect(simulator.instances()[0]?.phase).toBe('destroyed');

  // An instance that never runs: its machine can be blocked with it and is not rented again.
  const two = { MAX_INSTANCES: '2' };
  const next = offersNow().filter(({ machine_id }) => machine_id !== offers[0]?.machine_id);
  const rentNext = async (place: number, key: string, ...more: string[]) =>
    await run(['rent', '--offer', String(next[place]?.id), ...request.slice(3), '--key', key, ...more], two);
  expect((await rentNext(0, 'fails')).code).toBe(0);
  const failing = simulator.instances().at(-1)?.id ?? 0;
  simulator.setInstancePhase(failing, 'exited');
  const elsewhere = next.findIndex(({ machine_id }) => machine_id !== next[0]?.machine_id);
  const policy = ['--on-failure', 'replace', '--replacements', '3', '--provision-minutes', '45'];
  expect((await rentNext(elsewhere, 'beside', ...policy)).code).toBe(0);
  expect(
    await sql`select on_failure, replacements_left, provision_minutes from rental where idempotency_key = 'beside'`,
  ).toEqual([{ on_failure: 'replace', replacements_left: 3, provision_minutes: 45 }]);
  const told = (await run(['instances'])).notes.join('\n');
  expect(told).toContain(`offerbook destroy ${failing} --block machine`);
  const blocked = await run(['destroy', String(failing), '--yes', '--block', 'machine']);
  expect([blocked.code, blocked.notes]).toEqual([0, [expect.stringContaining('is blocked')]]);
  expect(simulator.instances().find(({ id }) => id === failing)?.phase).toBe('destroyed');
  expect(await sql`select machine_id, kind, note from blocklist_entry`).toEqual([
    { machine_id: next[0]?.machine_id, kind: 'block', note: `instance ${failing} failed to start` },
  ]);
  const refusedThere = await rentNext(0, 'again');
  expect([refusedThere.code, refusedThere.notes.join(' ')]).toEqual([
    4,
    expect.stringContaining('block list'),
  ]);

  // A block that fails keeps nothing alive.
  const beside = simulator.instances().at(-1)?.id ?? 0;
  await sql`alter table blocklist_entry add constraint nobody check (false) not valid`;
  const unblocked = await run(['destroy', String(beside), '--yes', '--block', 'host']);
  await sql`alter table blocklist_entry drop constraint nobody`;
  expect([unblocked.code, unblocked.notes]).toEqual([
    1,
    [
      expect.stringMatching(
        /^Instance \d+ is being destroyed, but its host is not blocked: .+ Block host \d+ on/,
      ),
    ],
  ]);
  expect(simulator.instances().find(({ id }) => id === beside)?.phase).toBe('destroyed');

  expect((await run(['actions', 'off'])).stdout).toContain('New rentals are off');
  const killed = await run([...request, '--key', 'b']);
  expect([killed.code, killed.notes.at(-1)]).toEqual([
    4,
    expect.stringMatching(
      /^guard refused: new rentals were disabled by .+\. To enable them, press .+, or run `offerbook actions on`\.$/,
    ),
  ]);
  const audit = await run(['audit', 'verify', '--json']);
  expect([audit.code, JSON.parse(audit.stdout)]).toEqual([0, expect.objectContaining({ problem: null })]);
  await sql.begin(async (tx) => {
    await tx`alter table audit_log disable trigger all`;
    await tx`grant all on audit_log to current_user`;
    await tx`update audit_log set actor = actor || ' ' where seq = 2 returning seq`;
    await tx`alter table audit_log enable trigger all`;
  });
  const changed = await run(['audit', 'verify']);
  expect([changed.code, changed.stdout]).toEqual([1, 'Entry 2: it was changed after it was written.\n']);
});
