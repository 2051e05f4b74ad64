import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Returns undici, read at the first request: most commands send none, and it has a hundred files. */
export const undici = (): typeof import('undici') => require('undici') as typeof import('undici');
