import { useEffect, useState } from 'preact/hooks';
import { LoadingNotice, ProblemNotice } from './notice.tsx';
import type { ViewProps } from './view.ts';

type Show<Props> = (props: Props) => preact.JSX.Element;

/** A part whose code is loaded when it is first shown, or as soon as it is likely to be. */
export interface Lazy<Props> extends Show<Props> {
  /** Loads its code; a failure shows when the part does. */
  prepare(): void;
}

/** Returns a view whose code is loaded when it is first shown, so that the page starts with less. */
export const lazyView: (what: string, load: () => Promise<Show<ViewProps>>) => Lazy<ViewProps> = lazyPart;

/** The same for a part of a view, such as the content of a dialog. */
export function lazyPart<Props extends object>(what: string, load: () => Promise<Show<Props>>): Lazy<Props> {
  let loaded: Show<Props> | null = null;
  let loading: Promise<void> | null = null;
  const prepare = (): Promise<void> => {
    loading ??= load().then((show) => {
      loaded = show;
    });
    return loading;
  };
  function LazyPart(props: Props) {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
    useEffect(() => {
      if (loaded !== null) return;
      prepare().then(
        () => setState('loaded'),
        () => setState('failed'),
      );
    }, []);
    useEffect(() => (state === 'failed' ? reloadOnceAnswered(window) : undefined), [state]);
    if (loaded !== null) {
      const Part = loaded;
      return <Part {...props} />;
    }
    return state === 'failed' ? (
      <ProblemNotice problem={notLoaded} retry={() => window.location.reload()} />
    ) : (
      <LoadingNotice what={what} />
    );
  }
  return Object.assign(LazyPart, { prepare: () => void prepare().catch(() => {}) });
}

/**
 * Reloads the page once the server answers: a browser does not ask again for code that it could not load. Code that is
 * missing then too is left to the reader. Returns how to stop.
 */
function reloadOnceAnswered(window: Window): () => void {
  const { sessionStorage, location } = window;
  const tried = Number(sessionStorage.getItem(reloadedAt) ?? 0);
  if (Date.now() - tried < 60_000) return () => {};
  const timer = window.setInterval(async () => {
    const answer = await window.fetch('/healthz', { cache: 'no-store' }).catch(() => null);
    if (answer === null) return;
    sessionStorage.setItem(reloadedAt, String(Date.now()));
    location.reload();
  }, 2000);
  return () => window.clearInterval(timer);
}

const reloadedAt = 'offerbook-reloaded-at';

const notLoaded = {
  status: null,
  name: null,
  title: 'This part of the page could not be loaded',
  detail:
    'Offerbook is not responding: check that it is running and that this computer has a network. ' +
    'If it was updated since the page was opened, reload the page.',
  errors: [],
  retryAfterSeconds: null,
};
