#!/usr/bin/env node
import { fileURLToPath } from 'node:url';

// Plain enough for any Node: says what is needed before anything newer is read.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `Offerbook needs Node 24; this is ${process.version}. ` +
      'In a checkout, `npm start` and `npx offerbook` bring the right one along.\n',
  );
  process.exit(1);
}
// Compiled once, kept beside the packages: commands start in half the time. Where nothing can be written it is done without.
const { enableCompileCache } = await import('node:module');
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/offerbook', import.meta.url)));
const { run } = await import('../src/cli.ts');
await run(process.argv.slice(2));
