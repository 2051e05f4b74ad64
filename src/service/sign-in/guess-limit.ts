import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Context } from 'hono';
import { ApiProblem } from '../../core/http/problem.ts';
import type { NoteRefusal } from './refused-sign-ins.ts';
import type { SignInWay } from './sign-in-audit.sql.ts';

/** Wrong secrets that an address may send before it has to wait: typing mistakes, an old script. */
const freeGuesses = 5;
const firstWaitMs = 1_000;
const maxWaitMs = 60_000;
/** An address that was quiet this long starts again at zero. */
const forgottenAfterMs = 15 * 60_000;
/** The last wrong secrets of an address: a page with an ended session sends the same one again and again. */
const maxWrongNames = 20;
/** Maximum number of remembered addresses and right secrets; the least recently seen are dropped. */
const maxRemembered = 10_000;

/** Slows down guessing of tokens, login codes and links, by client address. */
export interface GuessLimit {
  /**
   * Returns what `look` finds for a request's secret; null: nothing. While an address has to wait, twice as long after
   * each wrong secret up to a minute, it throws a 429. A secret that was right before is always looked up, so that a
   * guesser cannot lock out others behind the same address.
   */
  check: <T>(c: Context, given: GivenSecret, look: () => Promise<T | null>) => Promise<T | null>;
}

/** A secret, and where it was given. */
interface GivenSecret {
  secret: string;
  way: SignInWay;
}

interface Guesses {
  wrong: number;
  /** Hashes of the last wrong secrets. */
  names: readonly string[];
  lastAt: number;
  waitUntil: number;
}

/** Returns the limit of this process; a command's own requests have no address and are not limited. */
export function createGuessLimit({
  now,
  addressOf,
  noteRefusal,
}: {
  now: () => Date;
  /** null: the request came from within the process. */
  addressOf: (c: Context) => string | null;
  noteRefusal: NoteRefusal;
}): GuessLimit {
  const byAddress = new Map<string, Guesses>();
  const right = new Map<string, true>();
  const inTurn = createTurns();
  return {
    check: async (c, { secret, way }, look) => {
      const client = addressOf(c);
      const address = client === null ? null : networkOf(client);
      if (client === null || address === null) return await look();
      const name = createHash('sha256').update(secret).digest('base64');
      const isRepeated = (): boolean => byAddress.get(address)?.names.includes(name) === true;
      // A secret that was right before, or is repeated, is not a guess.
      const isGuess = (): boolean => !right.has(name) && !isRepeated();
      const attempt = async () => {
        const at = now().getTime();
        const waitUntil = byAddress.get(address)?.waitUntil ?? at;
        if (at < waitUntil && isGuess()) {
          await noteRefusal({ address: client, way });
          throw tooMany(c, waitUntil - at);
        }
        const found = await look();
        if (found !== null) remember(right, name, true);
        else {
          right.delete(name);
          if (isRepeated()) return found;
          remember(byAddress, address, guessedAgain(byAddress.get(address), name, at));
          await noteRefusal({ address: client, way });
        }
        return found;
      };
      // Guesses of one address run one after the other: parallel ones would all see the same count.
      return isGuess() ? await inTurn(address, attempt) : await attempt();
    },
  };
}

/** Runs work of one key in sequence, and of different keys in parallel. */
function createTurns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<void>>();
  return async (key, work) => {
    const own = (last.get(key) ?? Promise.resolve()).then(work);
    const ended = own.then(
      () => {},
      () => {},
    );
    last.set(key, ended);
    try {
      return await own;
    } finally {
      if (last.get(key) === ended) last.delete(key);
    }
  };
}

function guessedAgain(known: Guesses | undefined, name: string, at: number): Guesses {
  const isForgotten = known === undefined || at - known.lastAt > forgottenAfterMs;
  const wrong = isForgotten ? 1 : known.wrong + 1;
  const names = [...(isForgotten ? [] : known.names), name].slice(-maxWrongNames);
  const waitMs =
    wrong < freeGuesses ? 0 : Math.min(maxWaitMs, firstWaitMs * 2 ** Math.min(20, wrong - freeGuesses));
  return { wrong, names, lastAt: at, waitUntil: at + waitMs };
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= maxRemembered) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

function tooMany(c: Context, waitMs: number): ApiProblem {
  const seconds = Math.ceil(waitMs / 1_000);
  c.header('Retry-After', String(seconds));
  return new ApiProblem(
    429,
    'too-many-attempts',
    `Too many wrong tokens came from this address: try again in ${seconds} s.`,
  );
}

/** Groups IPv6 addresses by /64, which usually has one owner. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('%')[0]?.split('::') ?? [];
  const groups = head.split(':').filter((group) => group !== '');
  const behind = tail.split(':').filter((group) => group !== '');
  const missing = address.includes('::')
    ? Array.from({ length: 8 - groups.length - behind.length }, () => '0')
    : [];
  return [...groups, ...missing, ...behind].slice(0, 4).join(':');
}
