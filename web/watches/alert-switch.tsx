import type { Rule } from '../core/api.ts';
import type { App } from '../core/app.ts';
import type { Action } from '../core/use-action.ts';
import { Switch } from '../parts/choice.tsx';

interface Props {
  app: App;
  action: Action;
  rule: Rule;
  done: () => void;
}

/** Switches an alert on or off. */
export const AlertSwitch = ({ app, action, rule: { id, enabled }, done }: Props) => (
  <Switch
    label="On"
    name={`on-${id}`}
    on={enabled}
    change={(on) =>
      void action.run(async () => {
        await app.api.updateRule({ id, body: { enabled: on } });
        done();
        return on ? 'Alert on.' : 'Alert off.';
      })
    }
  />
);
