import { pathInPage } from './base-path.ts';

// The page knows these two names too: web/core/kept-answers.ts. Nothing is shared, because this script is one file.
const answersCache = 'offerbook-answers';
const keptHeader = 'x-offerbook-kept-at';
/** More than the views of one visit read. */
const maxAnswers = 200;

/** What is never kept: streams, files, and what is about signing in. */
const neverKept = /^\/api\/(events|session|exports|feeds|docs|openapi)\b/;

/** Grows whenever answers are forgotten: those of requests that began before are not kept afterwards. */
let epoch = 0;

/** Whether a request reads an answer that may be kept. */
export const isKeepable = ({ method, url }: Request): boolean =>
  method === 'GET' && pathInPage(url).startsWith('/api/') && !neverKept.test(pathInPage(url));

/** Forgets all answers, so that nobody else sees them in this browser. */
export async function forgetAnswers(): Promise<void> {
  epoch += 1;
  await caches.delete(answersCache);
}

/** Returns the server's answer, and keeps it; only without a server the last one, marked with its time. */
export async function answerOrKept(request: Request): Promise<Response> {
  const begun = epoch;
  let answer: Response;
  try {
    answer = await fetch(request);
  } catch (error) {
    const kept = await (await caches.open(answersCache)).match(request.url);
    if (kept === undefined) throw error;
    return kept;
  }
  if (answer.status === 401) await forgetAnswers();
  else if (answer.status === 200 && begun === epoch) await keep(request, answer.clone(), begun);
  return answer;
}

async function keep(request: Request, answer: Response, begun: number): Promise<void> {
  const headers = new Headers(answer.headers);
  headers.set(keptHeader, new Date().toISOString());
  const body = await answer.arrayBuffer();
  if (begun !== epoch) return;
  const cache = await caches.open(answersCache);
  await cache.put(request.url, new Response(body, { status: 200, headers }));
  const [oldest, ...others] = await cache.keys();
  if (oldest !== undefined && others.length >= maxAnswers) await cache.delete(oldest);
}
