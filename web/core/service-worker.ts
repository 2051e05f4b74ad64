import { PageError } from './api-client.ts';
import { basePath } from './base-path.ts';

/** Why push messages are not possible in this browser, as a sentence; null: they are. */
export function pushProblem(window: Window & typeof globalThis): string | null {
  if (!window.isSecureContext)
    return 'Push messages need https: open Offerbook at an address that begins with https://, or at localhost.';
  if (!('serviceWorker' in window.navigator) || !('PushManager' in window))
    return 'This browser has no push messages. On an iPhone or iPad, add Offerbook to the home screen first.';
  if (window.Notification.permission === 'denied')
    return 'Notifications of this site are blocked: allow them in the settings of the browser.';
  return null;
}

/** Registers the page's service worker; null: not possible here. */
export async function registerWorker(
  window: Window & typeof globalThis,
): Promise<ServiceWorkerRegistration | null> {
  if (!window.isSecureContext || !('serviceWorker' in window.navigator)) return null;
  // The development server has none.
  return await window.navigator.serviceWorker.register(`${basePath}/service-worker.js`).catch(() => null);
}

/**
 * Asks for permission and subscribes to the messages of a public key; returns the subscription as JSON. Throws a
 * PageError.
 */
export async function subscribe(window: Window & typeof globalThis, publicKey: string): Promise<string> {
  if ((await window.Notification.requestPermission()) !== 'granted')
    throw new PageError('Notifications were not allowed');
  if ((await registerWorker(window)) === null)
    throw new PageError('The service worker could not be started: reload the page');
  const { pushManager } = await window.navigator.serviceWorker.ready;
  // One of another key would make the browser refuse the new one.
  await (await pushManager.getSubscription())?.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(publicKey) };
  const made = await pushManager.subscribe(options).catch((error: Error) => {
    throw new PageError(`The browser's push service refused: ${error.message}`);
  });
  return JSON.stringify(made.toJSON());
}

/** Decodes base64url. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (char) => char.charCodeAt(0));
}

/** Returns `Firefox on Linux` for a user agent; the reader can change it. */
export function deviceName(userAgent: string): string {
  const browser = firstOf(userAgent, [
    [/Edg/, 'Edge'],
    [/Firefox|FxiOS/, 'Firefox'],
    [/Chrome|CriOS/, 'Chrome'],
    [/Safari/, 'Safari'],
  ]);
  const system = firstOf(userAgent, [
    [/iPhone/, 'iPhone'],
    [/iPad/, 'iPad'],
    [/Android/, 'Android'],
    [/Mac OS X/, 'Mac'],
    [/Windows/, 'Windows'],
    [/Linux/, 'Linux'],
  ]);
  return [browser ?? 'Browser', system].filter((part) => part !== undefined).join(' on ');
}

const firstOf = (text: string, patterns: readonly (readonly [RegExp, string])[]): string | undefined =>
  patterns.find(([pattern]) => pattern.test(text))?.[1];
