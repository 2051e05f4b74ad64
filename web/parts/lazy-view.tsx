import { useEffect, useState } from 'preact/hooks';
import { LoadingNotice, ProblemNotice } from './notice.tsx';
import type { ViewProps } from './view.ts';

type Show<Props> = (props: Props) => preact.JSX.Element;

/** Returns a view whose code is loaded when it is first shown, so that the page starts with less. */
export const lazyView: (what: string, load: () => Promise<Show<ViewProps>>) => Show<ViewProps> = lazyPart;

/** The same for a part of a view, such as the content of a dialog. */
export function lazyPart<Props extends object>(what: string, load: () => Promise<Show<Props>>): Show<Props> {
  let loaded: Show<Props> | null = null;
  return function LazyPart(props) {
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
      const Part = loaded;
      return <Part {...props} />;
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
  title: 'This part of the page could not be loaded',
  detail: 'Offerbook is not responding, or was updated since the page was opened.',
  errors: [],
  retryAfterSeconds: null,
};
