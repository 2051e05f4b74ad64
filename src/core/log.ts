type Write = (fields: object, message: string) => void;

/** The part of a pino logger that the program uses, passed to everything that logs. */
export interface Log {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}
