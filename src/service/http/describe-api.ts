import type { ApiApp } from '../../core/http/api-app.ts';
import { connect } from '../../database/connection.ts';
import { createApp } from './app.ts';
import { openApiDocument } from './openapi-document.ts';

/** Returns the OpenAPI document, the text of docs/openapi.json. Needs no database. */
export const describeApi = (version: string): string =>
  `${JSON.stringify(openApiDocument(createUnusedApp(version), version), null, 2)}\n`;

/** Returns the app with all its routes, to be described, not to be called. */
export function createUnusedApp(version: string): ApiApp {
  const silent = () => {};
  return createApp({
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
}
