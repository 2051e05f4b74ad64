import { afterAll } from 'vitest';
import { endFile } from './end-of-file.ts';

// Read anew for every test file; first registered, it runs last.
afterAll(endFile);
