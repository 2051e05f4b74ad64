import { useEffect, useState } from 'preact/hooks';
import { LoadingNotice, ProblemNotice } from './notice.tsx';
import type { ViewProps } from './view.ts';

type Show = (props: ViewProps) => preact.JSX.Element;

/** Returns a view whose code is loaded when it is first shown, so that the page starts with less. */
export function lazyView(what: string, load: () => Promise<Show>): Show {
  let loaded: Show | null = null;
  return function LazyView(props) {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
    useEffect(() => {
      if (loaded !== null) return;
      load().then(
        (show) => {
          loaded = show;
          setState('loaded');
        },
        () => setState('failed'),
      );
    }, []);
    if (loaded !== null) {
      const View = loaded;
      return <View {...props} />;
    }
    return state === 'failed' ? (
      <ProblemNotice problem={notLoaded} retry={() => window.location.reload()} />
    ) : (
      <LoadingNotice what={what} />
    );
  };
}

const notLoaded = {
  status: null,
  name: null,
  title: 'This view could not be loaded',
  detail: 'Offerbook is not responding, or was updated since the page was opened.',
  errors: [],
  retryAfterSeconds: null,
};
