import { type ReadonlySignal, signal } from '@preact/signals';
import { basePath } from './base-path.ts';

/** The server's live events. */
export interface Events {
  /** Whether the stream is open; while it is not, views poll. null: it is opening for the first time. */
  open: ReadonlySignal<boolean | null>;
  /** Returns a number that grows with each event of a kind. */
  count(kind: string): number;
  close(): void;
}

const kinds = ['book', 'crawl', 'instance', 'rental', 'alert', 'delivery', 'actions', 'order'] as const;
const retryMs = 5_000;

/** Follows the server's events, and reopens the stream whenever it breaks. */
export function followEvents(window: Window & typeof globalThis): Events {
  const open = signal<boolean | null>(null);
  const counts = new Map(kinds.map((kind) => [kind as string, signal(0)]));
  let source: EventSource | null = null;
  let last: string | null = null;
  let timer: number | undefined;

  function connect(): void {
    source?.close();
    const created = new window.EventSource(
      basePath + (last === null ? '/api/events' : `/api/events?after=${last}`),
    );
    source = created;
    created.onopen = () => {
      open.value = true;
      // Events may be lost while the stream is closed, so everything is reloaded once.
      for (const count of counts.values()) count.value += 1;
    };
    created.onerror = () => {
      open.value = false;
      created.close();
      again();
    };
    created.addEventListener('hello', (event) => keep(event));
    for (const [kind, count] of counts) {
      created.addEventListener(kind, (event) => {
        keep(event);
        count.value += 1;
      });
    }
  }

  const keep = (event: MessageEvent): void => {
    if (event.lastEventId !== '') last = event.lastEventId;
  };
  const again = (): void => {
    window.clearTimeout(timer);
    timer = window.setTimeout(connect, retryMs);
  };

  connect();
  return {
    open,
    count: (kind) => counts.get(kind)?.value ?? 0,
    close() {
      window.clearTimeout(timer);
      source?.close();
      open.value = false;
    },
  };
}
