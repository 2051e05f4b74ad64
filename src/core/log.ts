type Write = (fields: object, message: string) => void;

/** The part of a pino logger that the program uses, passed to everything that logs. */
export interface Log {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}

/** Returns a log that adds these fields to every line. */
export const withFields = (log: Log, own: object): Log => ({
  debug: (fields, message) => log.debug({ ...own, ...fields }, message),
  info: (fields, message) => log.info({ ...own, ...fields }, message),
  warn: (fields, message) => log.warn({ ...own, ...fields }, message),
  error: (fields, message) => log.error({ ...own, ...fields }, message),
});
