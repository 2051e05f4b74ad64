import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ApiApp } from '../../core/http/api-app.ts';
import { isCheckout, programFile } from '../../core/program-file.ts';
import { openApiDocument } from './openapi-document.ts';

const files: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const documentName = /^[a-z-]+\.md$/;

const pageAt = (basePath: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Offerbook API</title>
    <link rel="icon" href="${basePath}/api/docs/favicon-32x32.png" type="image/png" />
    <link rel="stylesheet" href="${basePath}/api/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="reference"></div>
    <script src="${basePath}/api/docs/swagger-ui-bundle.js"></script>
    <script src="${basePath}/api/docs/start.js"></script>
  </body>
</html>
`;

const startAt = (
  basePath: string,
): string => `SwaggerUIBundle({ url: '${basePath}/api/openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null });
`;

/** `/api/openapi.json` and the reference at `/api/docs`; its script and style, and the documents, are served from here. */
export function mountReference(app: ApiApp, version: string, basePath: string): void {
  // All routes are mounted by the first request.
  let document: object | null = null;
  app.get('/api/openapi.json', (c) => {
    document ??= openApiDocument(app, version, basePath);
    return c.json(document);
  });
  app.get('/api/docs', (c) => c.html(pageAt(basePath)));
  app.get('/api/docs/start.js', (c) =>
    c.body(startAt(basePath), 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  );
  app.get('/api/docs/:file', async (c, next) => {
    const name = c.req.param('file');
    const document = documentName.test(name) ? programFile(`docs/${name}`) : null;
    if (document !== null && existsSync(document)) return c.text(await readFile(document, 'utf8'));
    const contentType = files[name];
    if (contentType === undefined) return await next();
    return c.body(await readFile(join(referenceFolder(), name)), 200, { 'content-type': contentType });
  });
}

/** The published package has a copy, by `scripts/build.ts`: to depend on it would bring a script that reports installs. */
const referenceFolder = (): string =>
  isCheckout()
    ? dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
    : programFile('build/reference');
