// Tries what docs/deploy and the guides say about running Offerbook behind and beside other programs, with these programs.
// Needs Debian's PostgreSQL, pgbouncer, nginx, caddy, openssl and systemd, and the built page.
import { checkPooler } from './deployment/check-pooler.ts';
import { checkProxies } from './deployment/check-proxies.ts';
import { checkRole } from './deployment/check-role.ts';
import { checkTls } from './deployment/check-tls.ts';
import { checkUnit } from './deployment/check-unit.ts';
import { startPostgres } from './deployment/own-postgres.ts';
import { endPrograms } from './deployment/run-program.ts';
import type { Expect } from './deployment/use-service.ts';

const failures: string[] = [];
let held = 0;
const expect: Expect = (holds, what, seen) => {
  if (holds) held += 1;
  else failures.push(`${what}${seen === undefined ? '' : `: ${JSON.stringify(seen)}`}`);
};
const startedAt = performance.now();
try {
  await checkUnit(expect);
  const server = await startPostgres();
  await checkProxies(server, expect);
  await checkPooler(server, expect);
  await checkRole(server, expect);
  await checkTls(server, expect);
} finally {
  await endPrograms();
}
const seconds = Math.round((performance.now() - startedAt) / 1_000);
process.stdout.write(`${held} hold, ${failures.length} failures, ${seconds} s\n`);
for (const failure of failures) process.stdout.write(`FAILED: ${failure}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;
