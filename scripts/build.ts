// npm pack runs it: the page into web/dist, the program into build/program, the API reference into build/reference.
// Packages stay outside, and what a command reads late stays in files of its own, so that commands start fast.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');

await build({ configFile: join(root, 'web/vite.config.ts'), logLevel: 'warn' });
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  build: {
    ssr: 'src/cli.ts',
    outDir: 'build/program',
    emptyOutDir: true,
    target: 'node22',
    rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' } },
  },
});

const reference = join(root, 'build/reference');
rmSync(reference, { recursive: true, force: true });
for (const name of [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'favicon-32x32.png',
  'LICENSE',
  'NOTICE',
])
  cpSync(join(root, 'node_modules/swagger-ui-dist', name), join(reference, name));
