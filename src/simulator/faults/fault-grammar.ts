import { UserError } from '../../core/errors.ts';
import { type FaultKind, faultFacts, faultKinds, isFaultKind } from './fault-kinds.ts';

/** An active fault. */
export interface Fault {
  kind: FaultKind;
  /** The value after `=`, or the kind's default; null: the kind has none. */
  value: number | null;
  /** null: any. */
  method: string | null;
  /** The beginning of the path in whole parts, with `*` for any one part; null: any. */
  path: string | null;
  /** 0 to 1, of requests or of rows, depending on the kind. */
  share: number;
  /** Maximum number of affected requests; null: unlimited. */
  count: number | null;
}

const form =
  /^([a-z0-9-]+)(?:=(\d+(?:\.\d+)?))?(?:@(?:([A-Z]+) )?(\/[^\s:#]*))?(?::(\d*\.?\d+))?(?:#(\d+))?$/;

/**
 * Parses `kind[=value][@[METHOD ]/path][:share][#count]`: `500@POST /api/v0/bundles:0.1#3` is a 500 for a tenth of the
 * searches, at most three times. Throws a UserError that says what is wrong.
 */
export function parseFault(text: string): Fault {
  const match = form.exec(text.trim());
  if (match === null) {
    throw new UserError(
      `${JSON.stringify(text)} is not a fault: write kind[=value][@[METHOD ]/path][:share][#count].`,
    );
  }
  const [, kind = '', value, method = null, path = null, share, count] = match;
  if (!isFaultKind(kind)) {
    throw new UserError(`Unknown fault "${kind}". Known: ${Object.keys(faultKinds).join(', ')}.`);
  }
  const facts = faultFacts(kind);
  if (value !== undefined && facts.value === undefined)
    throw new UserError(`The fault ${kind} takes no =value.`);
  if (share !== undefined && Number(share) > 1) throw new UserError(`The share of ${kind} is above 1.`);
  return {
    kind,
    value: value === undefined ? (facts.value?.usual ?? null) : Number(value),
    method,
    path: path === null ? null : path.replace(/\/$/, ''),
    share: share === undefined ? (facts.usualRowShare ?? 1) : Number(share),
    count: count === undefined ? null : Number(count),
  };
}

/** Returns the text that parses to this fault. */
export function faultText({ kind, value, method, path, share, count }: Fault): string {
  const where = path === null ? '' : `@${method === null ? '' : `${method} `}${path === '' ? '/' : path}`;
  const often = count === null ? '' : `#${count}`;
  return `${kind}${value === null ? '' : `=${value}`}${where}:${share}${often}`;
}
