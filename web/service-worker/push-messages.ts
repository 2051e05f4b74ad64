import { basePath } from './base-path.ts';
import type { ClickEvent, PushEvent, WorkerScope } from './worker-scope.ts';

interface Message {
  title?: string;
  body?: string;
  tag?: string;
  at?: string;
  path?: string;
}

/** Shows a message of Offerbook; a browser may show only what was pushed. */
export async function showMessage({ registration }: WorkerScope, { data }: PushEvent): Promise<void> {
  const { title = 'Offerbook', body = '', tag, path = `${basePath}/watches` } = readMessage(data);
  await registration.showNotification(title, {
    body,
    icon: `${basePath}/icon-192.png`,
    data: { path },
    ...(tag === undefined ? {} : { tag }),
  });
}

/** Opens the page where the message says, in a window that is open already if there is one. */
export async function openMessage(
  { clients, location }: WorkerScope,
  { notification }: ClickEvent,
): Promise<void> {
  notification.close();
  const asked = new URL(
    (notification.data as { path?: string } | null)?.path ?? `${basePath}/watches`,
    location.origin,
  );
  const path = asked.origin === location.origin ? asked.pathname + asked.search : `${basePath}/watches`;
  const [open] = await clients.matchAll({ type: 'window', includeUncontrolled: false });
  const shown = await open?.navigate(path).catch(() => null);
  if (shown == null) await clients.openWindow(path);
  // Only a click of the reader may move the focus.
  else await shown.focus().catch(() => null);
}

function readMessage(data: PushEvent['data']): Message {
  try {
    return (data?.json() ?? {}) as Message;
  } catch {
    return {};
  }
}
