import type { ComponentChildren } from 'preact';
import type { App } from '../core/app.ts';
import { type Permission, reasonFor } from '../core/permission.ts';

interface Props {
  app: App;
  permission: Permission;
  children: ComponentChildren;
}

/** Controls for readers who may use them; the others see the reason in their place. */
export function Allowed({ app, permission, children }: Props) {
  const reason = reasonFor(app, permission);
  return reason === null ? children : <Reason>{reason}</Reason>;
}

/** Why something is not offered, where one would look for it. */
export const Reason = ({ children }: { children: string }) => (
  <span class="reason" data-reason>
    {children}
  </span>
);
