/** A query of the driver: a promise that submits itself to its client. */
export interface DriverQuery {
  handler: (query: DriverQuery) => void;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  isRaw?: unknown;
  cursorFn?: unknown;
  forEachFn?: unknown;
}

export const isDriverQuery = (value: unknown): value is DriverQuery =>
  value instanceof Promise && 'handler' in value && 'reject' in value;
