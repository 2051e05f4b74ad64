#!/usr/bin/env node
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Plain enough for any Node: says what is needed before anything newer is read.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `Offerbook needs Node 22.19 or later, best 24; this is ${process.version}. ` +
      'In a checkout, `npm start` and `npx offerbook` bring the right one along.\n',
  );
  process.exit(1);
}
if (major < 24) {
  // Parts of Node that 24 has for good are experimental there, which is no news for whoever runs a command.
  const { emitWarning } = process;
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] !== 'ExperimentalWarning') emitWarning.call(process, warning, ...rest);
  };
}
const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const source = pathOf('../src/cli.ts');
const isCheckout = existsSync(source);

// Compiled once: commands start in half the time. A checkout keeps that beside its packages; an installed package, which
// may belong to root, in the user's folder. Where nothing can be written it is done without.
const { enableCompileCache } = await import('node:module');
try {
  enableCompileCache(isCheckout ? pathOf('../node_modules/.cache/offerbook') : cacheOfVersion());
} catch {
  // This user has no home.
}
const { run } = await (isCheckout ? import('../src/cli.ts') : import('../build/program/cli.js'));
await run(process.argv.slice(2));

/** Returns this version's folder; what other versions have left goes when it is new. */
function cacheOfVersion() {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'offerbook');
  const { version } = JSON.parse(readFileSync(pathOf('../package.json'), 'utf8'));
  const own = join(folder, version);
  if (!existsSync(own)) rmSync(folder, { recursive: true, force: true });
  return own;
}
