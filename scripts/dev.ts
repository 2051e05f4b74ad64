import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** The service, restarted when its code changes, and the page's development server in front of it. */
const programs = [
  ['--watch', 'bin/offerbook.mjs', 'start'],
  ['node_modules/vite/bin/vite.js', 'web'],
].map(
  // Detached, so that Ctrl-C reaches each only once, from here: the service ends at once on a second signal.
  (args): ChildProcess =>
    spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], detached: true }),
);

let ending = false;
function endAll(): void {
  if (ending) return;
  ending = true;
  for (const program of programs) program.kill('SIGTERM');
}

for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => endAll());
for (const program of programs) {
  program.on('exit', (code) => {
    if (!ending) process.exitCode = code ?? 1;
    endAll();
  });
}
