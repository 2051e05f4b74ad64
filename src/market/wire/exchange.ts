import type { Dispatcher } from 'undici';
import { type CallOutcome, UserError } from '../../core/errors.ts';
import { parseExact } from '../../core/exact-json.ts';
import { undici } from '../../core/outgoing/undici.ts';
import type { SettingNames } from '../setting-names.ts';
import type { Timeouts } from './deadlines.ts';
import type { Failure, Redact } from './failure.ts';
import { createListCollector, createListSplitter, type ListReader } from './list-splitter.ts';
import { baseAddressHint } from './problem.ts';
import {
  acceptedEncodings,
  type BodySink,
  BodyTooLargeError,
  createWholeBody,
  maxListBytes,
  readBody,
  type TakenBody,
  UnknownEncodingError,
} from './response-body.ts';

/** One request, without address and key. */
export interface WireRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the base address, `/api/v0/bundles/`. */
  path: string;
  /** Query parameters; never in a message. */
  query?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON; omitted: no body. */
  body?: unknown;
  /** Takes a list out of a successful response while it arrives. */
  list?: ListReader | undefined;
  /** Name of the list expected in a successful response; its records are parsed while it arrives. */
  listKey?: string | undefined;
  /** Whether numbers keep their digits, as ExactNumbers. @default false */
  exactNumbers?: boolean | undefined;
}

/** One response of any status, with its decompressed body. */
export interface WireAnswer {
  status: number;
  retryAfter: string | undefined;
  location: string | undefined;
  body: TakenBody;
  /** Of the whole body. */
  bodyBytes: number;
}

/** Sends one request and reads one response; has no retries and does not interpret responses. */
export interface Exchange {
  /** Rejects with the signal's reason when it aborts; every other problem is a `failed`. */
  run: (
    request: WireRequest,
    signal: AbortSignal,
    deadlines: Omit<Timeouts, 'callMs'>,
    moments: Moments,
  ) => Promise<
    | { kind: 'answered'; answer: WireAnswer }
    | { kind: 'failed'; failure: Failure }
    // Not sent, because `mayStart` returned false.
    | { kind: 'late' }
  >;
  close: () => Promise<void>;
}

/** Callbacks while a request is in progress. */
interface Moments {
  /** Called just before the first byte is sent. */
  mayStart: () => boolean;
  /** Called when the response's first byte arrives. */
  onAnswer: () => void;
}

const maxErrorBodyBytes = 64 * 1024;

/**
 * Creates the HTTP connection to one market. Follows no redirects, which would carry the key elsewhere. Throws
 * UserError for an unusable base address.
 */
export function createExchange(options: {
  baseUrl: string;
  /** Sent with every request, including the key. */
  headers: Readonly<Record<string, string>>;
  maxBodyBytes: number;
  /** Whether connections are reused. Not for acting: one that dies while idle makes the outcome unclear. */
  keepAlive: boolean;
  redact: Redact;
  /** Setting names for messages. */
  names: SettingNames;
}): Exchange {
  const { headers, maxBodyBytes, keepAlive, redact, names } = options;
  const base = readBaseUrl(options.baseUrl, names);
  const { Agent } = undici();
  // Uses own deadlines, because undici's are checked twice a second and name no stage.
  const agent = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    // The longest header deadline; shorter ones are enforced here too.
    connect: { timeout: 61_000 },
    allowH2: false,
  });

  /** Returns the setting's limit for offers; all other responses are small. */
  const boundOf = ({ list }: WireRequest): number =>
    list === undefined ? Math.min(maxBodyBytes, maxListBytes) : maxBodyBytes;

  async function fetchAnswer(
    request: WireRequest,
    signal: AbortSignal,
    { onSending, onHeaders, onChunk }: Progress,
  ): Promise<WireAnswer> {
    const response = await agent.compose(noteStart(onSending)).request({
      origin: base.origin,
      path: base.prefix + request.path,
      query: request.query ?? {},
      method: request.method,
      reset: !keepAlive,
      headers: {
        accept: 'application/json',
        'user-agent': 'offerbook',
        'accept-encoding': acceptedEncodings,
        ...headers,
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: request.body === undefined ? null : JSON.stringify(request.body),
      signal,
    });
    onHeaders();
    const isSuccess = response.statusCode >= 200 && response.statusCode < 300;
    const sink = isSuccess ? sinkOf(request) : createWholeBody();
    const bodyBytes = await readBody(
      response.body,
      {
        encoding: header(response, 'content-encoding') ?? '',
        maxBytes: isSuccess ? boundOf(request) : maxErrorBodyBytes,
        whenLarger: isSuccess ? 'throw' : 'cut',
        onChunk,
      },
      sink.push,
    );
    return {
      status: response.statusCode,
      retryAfter: header(response, 'retry-after'),
      location: header(response, 'location'),
      body: sink.end(),
      bodyBytes,
    };
  }

  return {
    async run(request, signal, deadlines, { mayStart, onAnswer }) {
      signal.throwIfAborted();
      const deadline = createDeadline(deadlines);
      let outcome: CallOutcome = 'not-sent';
      let late = false;
      const onSending = (): void => {
        late = !mayStart();
        if (late) throw new Error('too late to be sent');
        outcome = 'unknown';
      };
      try {
        const both = AbortSignal.any([signal, deadline.signal]);
        const { bytesCame } = deadline;
        const answer = await fetchAnswer(request, both, {
          onSending,
          onHeaders: () => {
            bytesCame();
            onAnswer();
          },
          onChunk: bytesCame,
        });
        return { kind: 'answered', answer };
      } catch (error) {
        signal.throwIfAborted();
        if (late) return { kind: 'late' };
        const missed = deadline.signal.aborted ? String(deadline.signal.reason) : null;
        const failure = explainFailure(error, missed, {
          mayRaise: boundOf(request) === maxBodyBytes,
          redact,
          names,
        });
        return {
          kind: 'failed',
          failure: { ...failure, httpStatus: null, retryAfterMs: null, outcome, code: null, said: null },
        };
      } finally {
        deadline.clear();
      }
    },
    close: () => agent.destroy(),
  };
}

interface Progress {
  onSending: () => void;
  onHeaders: () => void;
  onChunk: () => void;
}

/** Calls `onStart` once connected, just before the first byte of a request is written; if it throws, nothing is. */
const noteStart =
  (onStart: () => void): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) => {
    const begin = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (controller, context) => {
      onStart();
      begin?.(controller, context);
    };
    return dispatch(options, handler);
  };

/** Returns a key as a header value. Throws UserError, with its setting, for one that no header can carry. */
export function requireHeaderText(key: string, setting: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UserError(`${setting} is empty or has a character that an HTTP header cannot carry`);
}

function readBaseUrl(text: string, names: SettingNames): { origin: string; prefix: string } {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new UserError(`${names.url} must begin with http:// or https://`);
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}

function header(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function createDeadline({ headersMs, idleMs, totalMs }: Omit<Timeouts, 'callMs'>) {
  const controller = new AbortController();
  const abort = (missed: string): void => controller.abort(missed);
  const total = setTimeout(abort, totalMs, `no complete answer within ${totalMs / 1_000} s`);
  let stage = setTimeout(abort, headersMs, `no answer within ${headersMs / 1_000} s`);
  const bytesCame = (): void => {
    clearTimeout(stage);
    stage = setTimeout(abort, idleMs, `its answer stopped for ${idleMs / 1_000} s`);
  };
  return {
    signal: controller.signal,
    bytesCame,
    clear: (): void => {
      clearTimeout(stage);
      clearTimeout(total);
    },
  };
}

type Explained = Pick<Failure, 'kind' | 'message' | 'retry'> & { cause?: unknown };

function explainFailure(
  error: unknown,
  missed: string | null,
  { mayRaise, redact, names }: { mayRaise: boolean; redact: Redact; names: SettingNames },
): Explained {
  if (missed !== null) return { kind: 'timeout', message: `timed out: ${missed}`, retry: 'transient' };
  if (error instanceof BodyTooLargeError) {
    const hint =
      error.isCallersBound && mayRaise ? 'raise MARKET_MAX_BODY_MB to read it' : baseAddressHint(names.url);
    const message = `answered with ${error.message}: ${hint}`;
    return { kind: 'too_large', message, retry: 'never' };
  }
  if (error instanceof UnknownEncodingError) {
    const message = `answered in an encoding that was not asked for (${redact(error.message)})`;
    return { kind: 'parse', message, retry: 'never' };
  }
  const code = codeOf(error);
  if (code.startsWith('Z_') || code.startsWith('ERR_BROTLI') || code.startsWith('ERR__ERROR_FORMAT')) {
    const message = `answered with compressed data that is corrupt or cut short (${code})`;
    return { kind: 'parse', message, retry: 'transient', cause: error };
  }
  const text = redact(error instanceof Error ? error.message : String(error));
  const reason = text.includes(code) ? text : `${code} ${text}`.trim();
  const hint = unreachable.has(code) ? `; check ${names.url} and the network` : '';
  return { kind: 'network', message: `failed: ${reason}${hint}`, retry: 'transient', cause: error };
}

function sinkOf({ list, listKey, exactNumbers }: WireRequest): BodySink {
  if (list !== undefined) return createListSplitter(list);
  if (listKey === undefined) return createWholeBody();
  return createListCollector(
    listKey,
    exactNumbers === true ? parseExact : (text) => JSON.parse(text) as unknown,
  );
}

const unreachable: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH']);

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}
