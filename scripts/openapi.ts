import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeApi } from '../src/service/http/describe-api.ts';

// Writes docs/openapi.json from the routes; a test fails when the two differ.
const root = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
writeFileSync(join(root, 'docs/openapi.json'), describeApi(version));
