/** A query of the driver: a promise that submits itself to its client. */
export interface DriverQuery {
  handler: (query: DriverQuery) => void;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  isRaw?: unknown;
  cursorFn?: unknown;
  forEachFn?: unknown;
  /** Its text with a number in place of each value, once it was submitted. */
  string?: string;
  /** The parts of its text between values. */
  strings?: readonly string[];
}

export const isDriverQuery = (value: unknown): value is DriverQuery =>
  value instanceof Promise && 'handler' in value && 'reject' in value;
