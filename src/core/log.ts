type Write = (fields: object, message: string) => void;

/** The part of a pino logger that the program uses; an argument wherever something is logged. */
export interface Log {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}
