import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createUnusedApp } from '../../src/service/http/describe-api.ts';
import { describe as describeRoutes } from '../../src/service/http/openapi-document.ts';
import { findGaps, inlineSchemas, type Json, operationsOf } from './description-gaps.ts';
import { readText, root } from './source-files.ts';

const text = readText('docs/openapi.json');
const parse = (): Json => JSON.parse(text) as Json;
const app = createUnusedApp('0');

/** The page, the login link, the description itself with the page that shows it, and MCP, which describes itself. */
const notDescribed = [
  ...['GET /*', 'GET /login', 'GET /api/openapi.json', 'GET /api/docs', 'GET /api/docs/start.js'],
  ...['GET /api/docs/{file}', 'POST /mcp'],
];
const routes = [
  ...new Set(
    app.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)(\{[^}]*\})?/g, '{$1}')}`),
  ),
].filter((route) => !notDescribed.includes(route));

describe('docs/openapi.json', () => {
  it('describes every route with name, summary, examples and errors', () => {
    expect(findGaps(parse(), routes)).toEqual([]);
    expect(routes.length).toBeGreaterThan(100);
    expect(operationsOf(parse())).toHaveLength(routes.length);
  });

  it('has an example of every field that is never null', () => {
    expect(describeRoutes(app, '0').withoutExample).toEqual([]);
  });

  it.each<[string, (document: Json) => void]>([
    ['is not described', ({ paths }) => void delete (paths as Json)['/api/offers']],
    ['lacks an operationId', (document) => void delete offers(document).operationId],
    ['lacks a summary', (document) => void delete offers(document).summary],
    ['two operations', (document) => void Object.assign(offers(document), { operationId: 'getTrends' })],
    ['lacks 500', (document) => void delete (offers(document).responses as Json)['500']],
    ['lacks an example of application/json', (document) => void delete answer(document).example],
    [
      'a schema without a name',
      (document) => void Object.assign(answer(document), { schema: { properties: {} } }),
    ],
    ['lacks an example of limit', (document) => void delete shared(document, 'limit').example],
  ])('is found wanting when a route %s', (said, damage) => {
    const document = parse();
    damage(document);
    expect(findGaps(document, routes).join('\n')).toContain(said);
  });

  it('names every object once: none is written out within another', () => {
    expect(inlineSchemas(parse())).toEqual([]);
  });
});

describe('the linter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'offerbook-lint-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs Redocly's recommended rules, warnings as errors. */
  async function lint(document: string): Promise<{ code: number; said: string }> {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, document);
    const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    return await new Promise((resolve) => {
      const given = ['lint', file, '--config', join(root, 'redocly.yaml'), '--format', 'json'];
      execFile(process.execPath, [cli, ...given], { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), said: `${stdout}${stderr}` });
      });
    });
  }

  it('has no complaint', async () => {
    const { code, said } = await lint(text);
    expect([code, JSON.parse(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1)).totals], said).toEqual(
      [0, { errors: 0, warnings: 0, ignored: 0 }],
    );
  });

  it('finds an example that does not fit its schema, and a missing operationId', async () => {
    const document = parse();
    answer(document).example = { items: 'none' };
    delete operationsOf(document)[0]?.operation.operationId;
    const { code, said } = await lint(JSON.stringify(document));
    expect(code).toBe(1);
    expect(said).toContain('no-invalid-media-type-examples');
    expect(said).toContain('operation-operationId');
  });
});

function offers(document: Json): Json {
  const found = operationsOf(document).find(({ route }) => route === 'GET /api/offers');
  if (found === undefined) throw new Error('GET /api/offers is not described');
  return found.operation;
}

function answer(document: Json): Json {
  const responses = offers(document).responses as { 200: { content: Record<string, Json> } };
  return responses[200].content['application/json'] as Json;
}

const shared = (document: Json, name: string): Json =>
  (document.components as { parameters: Record<string, Json> }).parameters[name] as Json;
