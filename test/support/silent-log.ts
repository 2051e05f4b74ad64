import type { Log } from '../../src/core/log.ts';

/** A log that keeps nothing. */
export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
