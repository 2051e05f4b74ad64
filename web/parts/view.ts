import type { Status } from '../core/api.ts';
import type { App } from '../core/app.ts';

/** Props of every view: the page's state and the newest status (null until the first). */
export interface ViewProps {
  app: App;
  status: Status | null;
}
