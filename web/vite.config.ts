import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const inWeb = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const workerFile = 'service-worker.js';

/** Tells the service worker the files of the build, so that a new build makes a new worker. */
const listBuiltFiles = (): Plugin => ({
  name: 'offerbook-built-files',
  generateBundle(_, bundle) {
    const worker = bundle[workerFile];
    if (worker?.type !== 'chunk') throw new Error(`the build has no ${workerFile}`);
    if (worker.imports.length > 0) throw new Error('the service worker must be one file');
    const files = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
    worker.code = `const builtFiles=${JSON.stringify(files.sort().map((name) => `/${name}`))};${worker.code}`;
  },
});

export default defineConfig({
  root: inWeb('.'),
  // The server says where the page lies: src/service/http/page.routes.ts.
  base: './',
  plugins: [listBuiltFiles()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy forbids data: addresses, so nothing may be inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Otherwise unused Chart.js scales would stay, because their classes read properties when defined.
    rolldownOptions: {
      treeshake: { propertyReadSideEffects: false },
      input: { index: inWeb('index.html'), 'service-worker': inWeb('service-worker/service-worker.ts') },
      output: {
        // What three views or more share is one file: a view was up to 30 requests, now at most nine.
        codeSplitting: { groups: [{ name: 'shared', minShareCount: 3, maxModuleSize: 5000 }] },
        entryFileNames: ({ name }) => (name === 'service-worker' ? workerFile : 'assets/[name]-[hash].js'),
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': 'http://127.0.0.1:8080', '/login': 'http://127.0.0.1:8080' },
  },
});
