import { useState } from 'preact/hooks';
import type { Rule, Watch } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { Switch } from '../parts/choice.tsx';
import { DeleteDialog } from '../parts/delete-dialog.tsx';
import { ruleInWords } from './rule-kinds.ts';
import { isNamedByFilters } from './watch-fields.ts';

interface Props {
  app: App;
  rule: Rule;
  rules: readonly Rule[];
  watches: readonly Watch[];
  done: () => void;
  close: () => void;
}

/** Opens the question of `DeleteAlert`. */
export const DeleteAlertButton = ({ rule, open }: { rule: Rule; open: () => void }) => (
  <button
    type="button"
    class="small danger"
    aria-haspopup="dialog"
    aria-label={`Delete… the alert “${ruleInWords(rule)}”`}
    onClick={open}
  >
    Delete…
  </button>
);

/** Asks whether an alert is to be deleted, and with it the watch that was made only for it. */
export function DeleteAlert({ app, rule, rules, watches, done, close }: Props) {
  const [withWatch, setWithWatch] = useState(true);
  const watch = watchMadeFor(rule, rules, watches);
  const removesWatch = watch !== null && withWatch;
  return (
    <DeleteDialog
      app={app}
      title={`Delete the alert “${ruleInWords(rule)}”?`}
      remove={() =>
        removesWatch ? app.api.deleteWatch({ id: watch.id }) : app.api.deleteRule({ id: rule.id })
      }
      said={removesWatch ? 'Alert and watch deleted.' : 'Alert deleted.'}
      done={done}
      close={close}
    >
      {watch === null ? (
        'Its history is deleted too.'
      ) : (
        <Switch
          label={`Also delete its watch ${watch.name}: it has no other alert and no report`}
          name="with-watch"
          on={withWatch}
          change={setWithWatch}
        />
      )}
    </DeleteDialog>
  );
}

/** Returns the watch that an alert's box made and that would have nothing to do without the alert; null: none. */
export function watchMadeFor(rule: Rule, rules: readonly Rule[], watches: readonly Watch[]): Watch | null {
  const watch = watches.find(({ id }) => id === rule.watchId);
  const hasOther = rules.some(({ id, watchId }) => id !== rule.id && watchId === rule.watchId);
  return watch === undefined || hasOther || watch.channelIds.length > 0 || !isNamedByFilters(watch)
    ? null
    : watch;
}
