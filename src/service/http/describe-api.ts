import { connect } from '../../database/connection.ts';
import { createApp } from './app.ts';
import { openApiDocument } from './openapi-document.ts';

/** Returns the OpenAPI document, the text of docs/openapi.json. Needs no database. */
export function describeApi(version: string): string {
  const silent = () => {};
  const app = createApp({
    // A pool connects on its first query.
    sql: connect({ url: 'postgres://localhost/unused' }),
    log: { debug: silent, info: silent, warn: silent, error: silent },
    now: () => new Date(),
    publicUrl: 'http://127.0.0.1:8080',
    version,
    defaultMarket: async () => ({ id: 0, name: 'unused', kind: 'simulated' }),
    mode: async () => 'simulated',
    seeding: () => null,
    crawlNow: async () => ({ crawlIds: [] }),
    maxDataAgeMinutes: 0,
    actionsEnabled: false,
    webRoot: null,
  });
  return `${JSON.stringify(openApiDocument(app, version), null, 2)}\n`;
}
