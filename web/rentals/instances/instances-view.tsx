import { useEffect, useRef } from 'preact/hooks';
import { managing, reasonFor } from '../../core/permission.ts';
import { useLive } from '../../core/use-live.ts';
import type { ViewProps } from '../../parts/view.ts';
import { InstanceList } from './instance-list.tsx';
import { InstancePage } from './instance-page.tsx';

/** The account's instances: the list, or one of them. */
export function InstancesView({ app, status }: ViewProps) {
  const { path } = app.address.place.value;
  const [id = null] = path.split('/').slice(2);
  const live = useLive(['instance', 'rental']);
  // Moves the focus to what is shown now, as between views.
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current !== path) document.getElementById('main')?.focus({ preventScroll: true });
    shown.current = path;
  }, [path]);
  const reason = reasonFor(app, managing);
  const shared = { app, status, live, reason };
  return id === null ? <InstanceList {...shared} /> : <InstancePage key={id} {...shared} id={id} />;
}
