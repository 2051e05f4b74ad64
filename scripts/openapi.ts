import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProgram } from '../src/cli.ts';
import { describeApi } from '../src/service/http/describe-api.ts';
import { describeDefinitions, documentTables } from '../src/service/http/describe-definitions.ts';
import type { ServiceContext } from '../src/service/service-context.ts';
import { documentCommands } from './command-tables.ts';
import { describeClient } from './describe-client.ts';

// Writes everything about the API that is generated from code; tests fail if it differs.
const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const write = (path: string, text: string): void => writeFileSync(join(root, path), text);
const { version } = JSON.parse(read('package.json')) as { version: string };
const document = describeApi(version);
write('docs/openapi.json', document);
write('docs/api.md', documentTables(read('docs/api.md')));
write('docs/commands.md', documentCommands(read('docs/commands.md'), createProgram({} as ServiceContext)));
for (const [name, text] of Object.entries(await describeClient(document))) write(`client/${name}`, text);
write('web/core/definitions.json', describeDefinitions());
