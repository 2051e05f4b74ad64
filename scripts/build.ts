// npm pack runs it: the page into web/dist, the program into build/program. Packages stay outside, and what a command
// reads late stays in files of its own, so that commands start fast.
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
