import type { HostileRequest } from './hostile-request.ts';
import type { RawAnswer } from './raw-exchange.ts';

/** Returns the problem of an answer in one line; null: it is correct. */
export function judgeAnswer({ raw, wrong }: HostileRequest, answer: RawAnswer): string | null {
  const { status, contentType, body } = answer;
  // The connection of a client that breaks the protocol itself may just end, or get the bare answer of the HTTP parser.
  const isBelowUs = wrong !== null && 'whole' in wrong && belowUs.has(wrong.whole);
  if (status === 0) return isBelowUs ? null : 'no answer';
  // Other paths are the page's, which may not be built.
  if (!raw.target.startsWith('/api/') && contentType.startsWith('text/html')) return null;
  if (status >= 500) return `answered ${status}`;
  if (status < 400 || raw.method === 'HEAD' || (isBelowUs && body === '')) return null;
  if (contentType !== 'application/problem+json') return `answered ${status} as ${contentType || 'nothing'}`;
  const problem = readProblem(body);
  if (problem === null || problem.status !== status) return `answered ${status} with a broken problem`;
  if (status !== 400 || wrong === null || !('field' in wrong)) return null;
  const names = problem.errors.map(({ name }) => name);
  if (names.length === 0) return `answered 400 for \`${wrong.field}\` and named no field`;
  return null;
}

const belowUs: ReadonlySet<string> = new Set([
  'a length that lies',
  'chunks that are none',
  'a header',
  'another method',
  'a huge body',
  'a bomb',
]);

/** Whether a 400 names the wrong field or a field that contains it. */
export function namesField({ wrong }: HostileRequest, { body }: RawAnswer): boolean {
  if (wrong === null || !('field' in wrong)) return false;
  const { field } = wrong;
  return (readProblem(body)?.errors ?? []).some(({ name }) => {
    const [given, wanted] = [name.toLowerCase(), field.toLowerCase()];
    return isWithin(given, wanted) || isWithin(wanted, given) || wanted.endsWith(`.${given}`);
  });
}

const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}.`);

interface Problem {
  status: number;
  errors: readonly { name: string; detail: string }[];
}

function readProblem(body: string): Problem | null {
  try {
    const problem = JSON.parse(body) as Partial<Problem> & {
      detail?: unknown;
      title?: unknown;
      type?: unknown;
    };
    const { status, errors, detail, title, type } = problem;
    const isWhole = [detail, title, type].every((text) => typeof text === 'string' && text !== '');
    return isWhole && typeof status === 'number' && Array.isArray(errors) ? { status, errors } : null;
  } catch {
    return null;
  }
}
