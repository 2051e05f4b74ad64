import { readFile } from 'node:fs/promises';
import { join, normalize, sep } from 'node:path';
import type { Context } from 'hono';
import { getMimeType } from 'hono/utils/mime';
import type { ApiApp } from '../../core/http/api-app.ts';
import { ApiProblem } from '../../core/http/problem.ts';
import { programCommand } from '../../core/program-file.ts';

const notBuilt = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Offerbook</title></head>
  <body>
    <p>The page is not built: start with <code>npm start</code>, which builds it, and load this again. The API works without it:
    <a href="/api/docs">reference</a>.</p>
  </body>
</html>
`;

/** Addresses that the page itself renders: a view, or one item in it. */
const viewPath =
  /^\/((today|market|trends|deals|listings|instances|templates|volumes|rent|spend|watches|crawls|settings|start)(\/[\w-]*)?|orders(\/[\w-]*){0,2})?$/;

/** All paths that no other route answers: the files of the built page. `webRoot` null: not built. */
export function mountPage(app: ApiApp, webRoot: string | null, basePath: string): void {
  const readFileOf = async (path: string): Promise<Uint8Array<ArrayBuffer> | null> => {
    const bytes = webRoot === null ? null : await readBelow(webRoot, path);
    return path === '/index.html' && bytes !== null ? placeBelow(bytes, basePath) : bytes;
  };
  app.get('*', async (c) => {
    const path = viewPath.test(c.req.path) ? '/index.html' : c.req.path;
    const bytes = await readFileOf(path);
    if (bytes === null) {
      if (path === '/index.html') return c.html(notBuilt, 503, { 'Cache-Control': 'no-store' });
      const page = isOpenedByReader(c) ? await readFileOf('/index.html') : null;
      if (page === null) throw new ApiProblem(404, 'not-found', 'There is nothing under this address.');
      return c.html(new TextDecoder().decode(page), 404, { 'Cache-Control': 'no-cache' });
    }
    // Names under /assets/ change with their content.
    c.header(
      'Cache-Control',
      path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
    return c.body(bytes, 200, { 'content-type': getMimeType(path) ?? 'application/octet-stream' });
  });
}

/** Whether an address was opened in a browser: the page then says that it does not exist. A script gets the error. */
const isOpenedByReader = (c: Context): boolean =>
  c.req.header('accept')?.includes('text/html') === true && !c.req.path.startsWith('/assets/');

/** The build's page names its files from where it lies; views lie deeper. The page reads the base path and the command from its head. */
function placeBelow(page: Uint8Array<ArrayBuffer>, basePath: string): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder()
    .decode(page)
    .replace('name="command" content="npx offerbook"', `name="command" content="${programCommand()}"`)
    .replaceAll('="./', `="${basePath}/`)
    .replace('name="base-path" content=""', `name="base-path" content="${basePath}"`);
  return new TextEncoder().encode(text);
}

async function readBelow(root: string, path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  let name: string;
  try {
    name = decodeURIComponent(path);
  } catch {
    return null;
  }
  const file = normalize(join(root, name));
  const inside = file.startsWith(normalize(root).replace(/[/\\]*$/, sep));
  if (!inside || name.includes('\0')) return null;
  try {
    return new Uint8Array(await readFile(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return null;
    throw error;
  }
}
