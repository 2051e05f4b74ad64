import type { ApiApp } from '../../core/http/api-app.ts';

/** Returns the OpenAPI 3.1 document of all mounted routes; deterministic. */
export function openApiDocument(app: ApiApp, version: string) {
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Offerbook',
      version,
      description:
        'What the offers of a GPU rental marketplace cost, over time and now. Times are ISO 8601 UTC, unknown ' +
        'figures are null, errors are RFC 9457 problem details, unknown query parameters are a 400 that names them.',
    },
    security: [{ token: [] }, { session: [] }],
  });
}

/** Registers the authentication schemes in the API description. */
export function describeSecurity(app: ApiApp, cookie: string): void {
  const registry = app.openAPIRegistry;
  registry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' });
  registry.registerComponent('securitySchemes', 'session', { type: 'apiKey', in: 'cookie', name: cookie });
}
