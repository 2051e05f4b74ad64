import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeApi } from '../src/service/http/describe-api.ts';
import { describeTypes } from './openapi-types.ts';

// Writes docs/openapi.json from the routes and from it the types that the page reads; a test fails when they differ.
const root = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const document = describeApi(version);
writeFileSync(join(root, 'docs/openapi.json'), document);
writeFileSync(join(root, 'web/core/openapi.ts'), await describeTypes(document));
