import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder, runProgram } from './run-program.ts';
import type { Expect } from './use-service.ts';

const unit = fileURLToPath(new URL('../../docs/deploy/offerbook.service', import.meta.url));
const program = '/usr/local/bin/offerbook';

/** Lets systemd read the unit; the program may be installed elsewhere here. */
export async function checkUnit(expect: Expect): Promise<void> {
  const text = await readFile(unit, 'utf8');
  expect(text.includes(`ExecStart=${program} start`), 'the unit starts the installed program');
  const file = join(await makeFolder('unit'), 'offerbook.service');
  await writeFile(file, text.replace(program, '/bin/true'));
  const said = await runProgram('systemd-analyze', ['verify', '--man=no', file], 'own').catch(String);
  expect(said === '', 'systemd has no complaint about the unit', said);
}
