import { useState } from 'preact/hooks';
import type { Report, Watch } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { countOf } from '../core/figures.ts';
import { useAction } from '../core/use-action.ts';
import { Allowed } from '../parts/allowed.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';

const sending = { to: 'send reports' };

interface Props {
  app: App;
  watch: Watch;
  /** Whether it is one of several in a list, so that its name says of which watch. */
  inList?: boolean;
  /** Called with the report once it is sent. */
  sent?: (report: Report) => void;
}

/** A button that sends a watch's report to its channels, after a question. */
export function SendReport({ app, watch, inList = false, sent }: Props) {
  const [asking, setAsking] = useState(false);
  const action = useAction(app);
  const sendsTo = watch.channelIds.length;
  return (
    <Allowed app={app} permission={sending}>
      <button
        type="button"
        class={inList ? 'small' : undefined}
        disabled={action.busy || sendsTo === 0}
        aria-label={inList ? `Send report… of ${watch.name}` : undefined}
        onClick={() => setAsking(true)}
      >
        Send report…
      </button>
      {sendsTo === 0 && (
        <span class="caption" data-cannot-send>
          The watch has no channel: choose one above and save.
        </span>
      )}
      {asking && (
        <Confirm
          title={`Send the report of ${watch.name}?`}
          action="Send"
          busy={action.busy}
          close={() => setAsking(false)}
          confirm={() =>
            void action.run(async () => {
              const answer = await app.api.createWatchReport({ id: watch.id, body: { send: true } });
              sent?.(answer.report);
              setAsking(false);
              return `Report sent to ${countOf(answer.deliveries, 'channel')}.`;
            })
          }
        >
          <p>
            It is sent to {countOf(sendsTo, 'channel')} now, whatever the age of the data. The next report
            lists the changes since this one.
          </p>
          <Failure problem={action.problem} />
        </Confirm>
      )}
    </Allowed>
  );
}
