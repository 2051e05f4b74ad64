import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Events, followEvents } from './events.ts';

const pollMs = 15_000;

/** Live updates of a view. */
export interface Live {
  events: Events;
  /** Grows with each event of the view's kinds, and regularly while the event stream is closed. */
  changed: number;
  state: 'opening' | 'open' | 'closed';
}

/** The state of live updates, for the reader. */
export const liveWords: Readonly<Record<Live['state'], string>> = {
  opening: 'Connecting…',
  open: 'Live: updates by itself',
  closed: `Live updates interrupted: refreshing every ${pollMs / 1_000} s`,
};

/** The stream that all parts of the page share: a browser opens only few connections to a server. null: none does. */
let shared: { events: Events; users: number } | null = null;

function share(): Events {
  shared ??= { events: followEvents(window), users: 0 };
  shared.users += 1;
  return shared.events;
}

function leave(): void {
  if (shared === null) return;
  shared.users -= 1;
  if (shared.users > 0) return;
  shared.events.close();
  shared = null;
}

/** Follows the server's events of some kinds while a view is shown. */
export function useLive(kinds: readonly string[]): Live {
  const events = useMemo(share, []);
  useEffect(() => leave, []);
  const polls = usePolls(events);
  const isOpen = events.open.value;
  return {
    events,
    changed: kinds.reduce((sum, kind) => sum + events.count(kind), polls),
    state: isOpen === null ? 'opening' : isOpen ? 'open' : 'closed',
  };
}

/** Grows regularly while the event stream is closed. */
function usePolls(events: Events): number {
  const [polls, setPolls] = useState(0);
  const open = events.open.value;
  useEffect(() => {
    if (open !== false) return;
    const timer = setInterval(() => setPolls((count) => count + 1), pollMs);
    return () => clearInterval(timer);
  }, [open]);
  return polls;
}
