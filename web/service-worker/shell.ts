import { basePath } from './base-path.ts';

/** Files of the build, which names by their content; the build puts the list here. */
declare const builtFiles: readonly string[];

const prefix = 'offerbook-shell-';
/** The document of every view. */
const document = `${basePath}/`;
const fixedFiles = ['favicon.svg', 'icon-192.png', 'manifest.webmanifest'].map((name) => document + name);
const shellCache = prefix + hashOf(builtFiles.join());

/** Keeps everything that the page of this build needs. */
export async function keepShell(): Promise<void> {
  await (await caches.open(shellCache)).addAll([
    document,
    ...fixedFiles,
    ...builtFiles.map((path) => basePath + path),
  ]);
}

/** Removes what earlier builds kept. */
export async function dropOldShells(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== shellCache);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** Whether a path is of a file whose name changes with its content. */
export const isBuiltFile = (path: string): boolean => path.startsWith(`${basePath}/assets/`);

/** Whether a path is of another file of the page. */
export const isFixedFile = (path: string): boolean => fixedFiles.includes(path);

/** Returns the server's page, so that a new version is used at once; only without a server the kept one. */
export async function pageOrKept(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const path = request.mode === 'navigate' ? document : new URL(request.url).pathname;
    return await kept(path, error);
  }
}

/** Returns a file of this build as kept, else the server's. */
export async function keptFile(request: Request): Promise<Response> {
  return (await (await caches.open(shellCache)).match(request.url)) ?? (await fetch(request));
}

async function kept(path: string, error: unknown): Promise<Response> {
  const found = await (await caches.open(shellCache)).match(path);
  if (found === undefined) throw error;
  return found;
}

function hashOf(text: string): string {
  let hash = 0;
  for (const char of text) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0;
  return (hash >>> 0).toString(36);
}
