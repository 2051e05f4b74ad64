import type { ApiApp } from '../../core/http/api-app.ts';
import { completeDocument } from './description/complete-document.ts';
import type { Json } from './description/schema-shapes.ts';

const tags: Readonly<Record<string, string>> = {
  health: 'Whether the service runs, on which data, and what failed',
  prices: 'Prices and supply, over time and now',
  crawls: 'Crawls, the stored books, and the markets that they are of',
  watches: 'What to look for, with reports and feeds',
  rules: 'When to be notified, and what was',
  channels: 'Where messages go',
  acting: 'Renting, what was rented, and what to avoid',
  orders: 'Standing orders, which rent when an offer fits',
  spend: 'What was spent, and files and links of it',
  access: 'Tokens',
  session: "The page's session",
  service: 'What happens, as it happens',
};

/** Returns the OpenAPI 3.1 document of all mounted routes; deterministic. */
export const openApiDocument = (app: ApiApp, version: string, basePath = ''): Json =>
  describe(app, version, basePath).document;

/** Returns the document, and the fields that have no example. */
export function describe(app: ApiApp, version: string, basePath = ''): ReturnType<typeof completeDocument> {
  const generated = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Offerbook',
      version,
      // The generator's types know only `url`.
      license: { name: 'MIT', identifier: 'MIT' } as { name: string },
      description:
        'What the offers of a GPU rental marketplace cost, over time and now. Times are ISO 8601 UTC, unknown ' +
        'figures are null, errors are RFC 9457 problem details, unknown query parameters are a 400 that names them.',
    },
    servers: [{ url: basePath || '/', description: 'The server that this description comes from' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ token: [] }, { session: [] }],
  });
  // Only what JSON can hold: the generator leaves undefined fields, and shares objects between operations.
  return completeDocument(JSON.parse(JSON.stringify(generated)) as Json);
}

/** Registers the authentication schemes in the API description. */
export function describeSecurity(app: ApiApp, cookie: string): void {
  const registry = app.openAPIRegistry;
  registry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' });
  registry.registerComponent('securitySchemes', 'session', { type: 'apiKey', in: 'cookie', name: cookie });
}
