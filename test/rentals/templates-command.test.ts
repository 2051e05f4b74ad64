import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sql } from '../../src/database/connection.ts';
import { compressCommand } from '../../src/market/vast/onstart.ts';
import { loadConfig } from '../../src/service/config.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import { runOfferbook } from '../support/offerbook-command.ts';
import { type InProcessEnd, runInProcess } from '../support/run-in-process.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';

const script = `${'# why this step is needed, at length\n'.repeat(150)}greeting='ünï "quoted" $1'\necho "$greeting|$0"\n`;
const password = 'registry-pässword-1';

let folder: string;
let simulator: Simulator;
let database: string;
let sql: Sql;
let env: Record<string, string>;

beforeAll(async () => {
  const made = await createTestDatabase();
  ({ sql } = made);
  database = databaseUrl(made.target);
  folder = await mkdtemp(join(tmpdir(), 'offerbook-templates-'));
  await writeFile(join(folder, 'start.sh'), script);
  await writeFile(join(folder, 'password'), `${password}\n`);
  await writeFile(join(folder, 'dialect.json'), '{"minIntervalSeconds":{"templates":0}}');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  simulator = createSimulator({ offersPerType: 10, apiKey: 'key-of-the-templates' });
  const { url } = await simulator.listen();
  env = {
    MARKET_URL: url,
    MARKET_API_KEY: simulator.apiKey,
    MARKET_DIALECT: join(folder, 'dialect.json'),
    DATABASE_URL: database,
    DATA_DIR: join(folder, 'data'),
  };
});

afterEach(() => simulator.close());

/** Runs `templates` in this process, with ACTIONS as given. */
const run = (args: string[], actions: boolean | null = true): Promise<InProcessEnd> => {
  const config = { ...loadConfig(env), actions };
  return runInProcess(['templates', ...args], config);
};

/** The account's own templates as the market itself gives them. */
async function stored(): Promise<Record<string, unknown>[]> {
  const response = await fetch(`${env.MARKET_URL}/api/v0/template/?select_cols=["*"]`, {
    headers: { authorization: `Bearer ${simulator.apiKey}` },
  });
  const { templates } = (await response.json()) as { templates: Record<string, unknown>[] };
  return templates.filter(({ creator_id }) => creator_id !== 1);
}

const written = () => simulator.requests().filter(({ method }) => method !== 'GET');

describe('templates create', () => {
  it('refuses an over-long start script with exit code 2 and the ready command, before anything is sent', async () => {
    const args = ['templates', 'create', '--name', 'n', '--image', 'i', '--onstart'];
    const { code, stderr } = await runOfferbook([...args, join(folder, 'start.sh')], env);
    expect(code).toBe(2);
    expect(stderr.join('\n')).toContain(compressCommand);
    const piped = spawn(
      process.execPath,
      [join(import.meta.dirname, '../../bin/offerbook.mjs'), ...args, '-'],
      { env: { PATH: process.env.PATH, ...env }, stdio: ['pipe', 'ignore', 'pipe'] },
    );
    piped.stdin.end(script);
    const [said] = await Promise.all([text(piped.stderr), once(piped, 'close')]);
    expect([piped.exitCode, said]).toEqual([2, expect.stringContaining(`has ${script.length} characters`)]);
    expect(simulator.requests()).toEqual([]);
  });

  it('sends a compressed script with --compress-onstart that a shell turns into the original', async () => {
    const onstart = ['--onstart', join(folder, 'start.sh'), '--compress-onstart'];
    const { code, stdout: out } = await run(['create', '--name', 'n', '--image', 'i', ...onstart, '--json']);
    const [template = {}, ...others] = await stored();
    const short = String(template.onstart);
    expect(others).toEqual([]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      templateId: template.id,
      hashId: template.hash_id,
      onstartCharacters: short.length,
    });
    expect(short.length).toBeLessThanOrEqual(4_048);
    const [, unpack = ''] = /^eval "\$\((.*)\)"\n$/.exec(short) ?? [];
    expect(execFileSync('/bin/sh', ['-c', unpack], { encoding: 'utf8' })).toBe(script);
    const output = (what: string) => execFileSync('/bin/sh', ['-c', what, 'name', 'one']).toString();
    expect(output(short)).toBe(output(script));
  });

  it('stores every field that it is given', async () => {
    const args = ['create', '--name', 'trainer', '--image', 'python', '--tag', '3.13', '--disk', '32'];
    const more = [
      ...['--env', `-e A=b --env 'C=two words' -p 8080:80`, '--runtype', 'ssh', '--ssh', 'on'],
      ...['--ssh-direct', 'off', '--description', 'd', '--args', 'a', '--private', 'on'],
      ...['--extra-filters', '{"num_gpus":{"gte":2}}', '--href', 'h', '--repo', 'r'],
    ];
    const { code, stdout: out } = await run([...args, ...more]);
    const [template] = await stored();
    expect(code).toBe(0);
    expect(out).toContain(String(template?.hash_id));
    expect(template).toMatchObject({
      ...{ name: 'trainer', image: 'python', tag: '3.13', recommended_disk_space: 32, desc: 'd' },
      ...{ env: "-e A=b -e C='two words' -p 8080:80", runtype: 'ssh', use_ssh: true, ssh_direct: false },
      ...{ args_str: 'a', private: true, extra_filters: { num_gpus: { gte: 2 } }, href: 'h', repo: 'r' },
    });
  });

  it('names all problems and exits with 2', async () => {
    const args = ['create', '--name', 'n', '--image', '', '--env', '-p 80:0 -e 1=x'];
    const { code, notes } = await run([...args, '--extra-filters', '{"num_gpu":{"gte":2}}']);
    expect(code).toBe(2);
    expect(notes.join('\n')).toMatch(
      /needs an image\n.*"1" is not a variable name.*\n.*"-p 80:0".*\n.*num_gpus\?/,
    );
    expect((await run(['create', '--name', 'n'])).code).toBe(2);
    expect((await run(['create', '--name', 'n', '--image', 'i', '--ssh', 'yes'])).code).toBe(2);
    expect(simulator.requests()).toEqual([]);
  });

  it('only reads the registry password from a file and shows it nowhere', async () => {
    const registry = ['--registry', 'r.example', '--registry-user', 'me'];
    const file = ['--registry-password-file', join(folder, 'password')];
    const made = await run(['create', '--name', 'n', '--image', 'i', ...registry, ...file, '--json']);
    expect(made.code).toBe(0);
    expect(written()).toHaveLength(1);
    simulator.setFaults(['success-false@POST /api/v0/template']);
    const failed = await run(['create', '--name', 'n', '--image', 'i', ...registry, ...file]);
    expect(failed.code).toBe(1);
    const listed = await run(['search', '--json']);
    const all = JSON.stringify([made, failed, listed]);
    expect(all).toContain('r.example');
    expect(all).not.toContain(password);
    const alone = await run(['create', '--name', 'n', '--image', 'i', ...file]);
    expect([alone.code, alone.notes.join('\n')]).toEqual([2, expect.stringMatching(/needs its user/)]);
  });

  it('uses the password file from the environment if there is a registry', async () => {
    const args = ['templates', 'create', '--name', 'n', '--image', ''];
    const missing = { ...env, REGISTRY_PASSWORD_FILE: join(folder, 'no-such-file') };
    const withRegistry = await runOfferbook([...args, '--registry', 'r', '--registry-user', 'u'], missing);
    expect(withRegistry.stderr).toEqual([expect.stringMatching(/no-such-file: the file cannot be read/)]);
    const without = await runOfferbook(args, missing);
    expect(without.stderr[0]).toBe('The template needs an image.');
  });
});

describe('a template', () => {
  const made = async (): Promise<{ templateId: number; hashId: string }> =>
    JSON.parse((await run(['create', '--name', 'n', '--image', 'i', '--json'])).stdout);

  it('is edited by its hash, which then changes, and deleted by its id', async () => {
    const { templateId, hashId } = await made();
    const edited = await run(['edit', hashId, '--tag', 'v2', '--env', '-e A=1', '--json']);
    const [template] = await stored();
    expect(template).toMatchObject({ id: templateId, name: 'n', image: 'i', tag: 'v2', env: '-e A=1' });
    expect(JSON.parse(edited.stdout)).toEqual({ hashId: template?.hash_id, onstartCharacters: null });
    expect(template?.hash_id).not.toBe(hashId);
    const again = await run(['edit', hashId, '--tag', 'v3']);
    expect([again.code, again.notes.length]).toEqual([2, 1]);
    expect((await run(['delete', String(templateId)])).code).toBe(0);
    expect(await stored()).toEqual([]);
    const entries = await sql<{ entry: string }[]>`
      select action || ' ' || phase as entry from audit_log order by seq desc limit 8`;
    expect(entries.map(({ entry }) => entry).reverse()).toEqual(
      ['create', 'edit', 'edit', 'delete'].flatMap((deed) => [
        ...[`${deed}-template before`, `${deed}-template after`],
      ]),
    );
  });

  it('cannot be edited by its id or without a change, nor deleted by its hash: exit code 2', async () => {
    const { templateId, hashId } = await made();
    const before = written().length;
    expect((await run(['edit', String(templateId), '--tag', 'v2'])).code).toBe(2);
    expect((await run(['edit', hashId])).code).toBe(2);
    expect((await run(['delete', hashId])).code).toBe(2);
    expect(written()).toHaveLength(before);
  });

  it('is found by name, image and other conditions, with its fields', async () => {
    const { templateId } = await made();
    const found = async (...args: string[]) =>
      (
        JSON.parse((await run(['search', '--json', ...args], null)).stdout) as {
          templates: { templateId: number; image: string }[];
        }
      ).templates;
    expect(await found('--name', 'n')).toMatchObject([
      { templateId, name: 'n', image: 'i', isPrivate: false },
    ]);
    expect((await found('--image', 'ubuntu')).map(({ image }) => image)).toEqual(['ubuntu']);
    const cheap = await found('--filters', '{"recommended_disk_space":{"lte":16}}', '--order-by', 'id');
    expect(cheap.map(({ image }) => image).sort()).toEqual(['i', 'ubuntu']);
    const { stdout: out } = await run(['search', '--name', 'n']);
    expect(out).toMatch(new RegExp(`^ *Id +Hash .*\\n *${templateId} .* n +i:latest +args +8  public`));
    const wrong = await run(['search', '--filters', '{"imag":{"eq":"x"}}', '--json']);
    expect([wrong.code, wrong.notes.join('')]).toEqual([2, expect.stringMatching(/did you mean image\?/)]);
    expect((await run(['search', '--order-by', 'price'])).code).toBe(2);
  });

  it('cannot color the terminal through its name', async () => {
    await run(['create', '--name', '\u001b[31mred\u0007', '--image', 'i']);
    const { stdout: out } = await run(['search']);
    expect(out).toContain('red');
    expect(out).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});

describe('while actions are off', () => {
  it.each([[null], [false]])(
    '(ACTIONS %s) templates can be read, and each change is refused with exit code 4',
    async (off) => {
      expect((await run(['search'], off)).code).toBe(0);
      for (const args of [
        ['create', '--name', 'n', '--image', 'i'],
        ['edit', '0a1b', '--tag', 'x'],
        ['delete', '1'],
      ]) {
        const { code, stdout: out, notes } = await run(args, off);
        expect([code, out, notes]).toEqual([4, '', [expect.stringMatching(/^guard refused: .*ACTIONS=on/)]]);
      }
      expect(written()).toEqual([]);
    },
  );

  it('the process exits with 4 on a live market without ACTIONS', async () => {
    const { code, stderr } = await runOfferbook(['templates', 'delete', '1'], env);
    expect([code, stderr[0]]).toEqual([4, expect.stringMatching(/^guard refused: .*ACTIONS=on/)]);
  });
});

it('the process changes a live market with ACTIONS=on, with the start script compressed', async () => {
  const args = ['templates', 'create', '--name', 'on', '--image', 'i', '--compress-onstart', '--onstart'];
  const { code } = await runOfferbook([...args, join(folder, 'start.sh')], {
    ...{ ...env, ACTIONS: 'on' },
    ...{ MAX_USD_PER_HOUR: '1', MAX_TOTAL_USD_PER_HOUR: '1', MAX_INSTANCES: '1' },
  });
  expect(code).toBe(0);
  const [template] = await stored();
  expect(template).toMatchObject({ name: 'on' });
  expect(String(template?.onstart).length).toBeLessThanOrEqual(4_048);
});

describe('with the built-in simulator', () => {
  it('public templates are found, and a change is refused because it would end with the command', async () => {
    const found = await runOfferbook(['templates', 'search', '--name', 'PyTorch'], {});
    expect([found.code, found.stdout]).toEqual([0, expect.stringContaining('pytorch/pytorch')]);
    const made = await runOfferbook(['templates', 'create', '--name', 'n', '--image', 'i'], {});
    expect([made.code, made.stderr]).toEqual([1, [expect.stringMatching(/offerbook simulate .*--state/)]]);
  });
});
