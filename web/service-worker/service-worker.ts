import { pathInPage } from './base-path.ts';
import { answerOrKept, forgetAnswers, isKeepable } from './kept-answers.ts';
import { openMessage, showMessage } from './push-messages.ts';
import { dropOldShells, isBuiltFile, isFixedFile, keepShell, keptFile, pageOrKept } from './shell.ts';
import type { FetchEvent, WorkerScope } from './worker-scope.ts';

const worker = self as unknown as WorkerScope;

worker.addEventListener('install', (event) => {
  event.waitUntil(keepShell().then(() => worker.skipWaiting()));
});
worker.addEventListener('activate', (event) => {
  event.waitUntil(dropOldShells().then(() => worker.clients.claim()));
});
worker.addEventListener('fetch', (event) => {
  const answer = answerTo(event);
  // Without an answer the browser asks the server as if there were no worker.
  if (answer !== null) event.respondWith(answer);
});
worker.addEventListener('push', (event) => event.waitUntil(showMessage(worker, event)));
worker.addEventListener('notificationclick', (event) => event.waitUntil(openMessage(worker, event)));

function answerTo({ request }: FetchEvent): Promise<Response> | null {
  const { origin, pathname } = new URL(request.url);
  if (origin !== worker.location.origin) return null;
  // Somebody signs in or out: what the one before has read is nobody else's.
  const path = pathInPage(request.url);
  if (path.startsWith('/login') || (path === '/api/session' && request.method !== 'GET'))
    return forgetAnswers().then(() => fetch(request));
  if (isKeepable(request)) return answerOrKept(request);
  if (request.method !== 'GET' || path.startsWith('/api/')) return null;
  if (isBuiltFile(pathname)) return keptFile(request);
  return request.mode === 'navigate' || isFixedFile(pathname) ? pageOrKept(request) : null;
}
