import { listDeliveries } from '../../client/operations.js';
import type { Channel } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { countOf } from '../core/figures.ts';
import { pathTo } from '../core/path-to.ts';
import { getNow } from '../core/server-time.ts';
import { useAction } from '../core/use-action.ts';
import { useAnswer } from '../core/use-answer.ts';
import { ActButton } from '../parts/act-button.tsx';
import { Failure } from '../parts/failure.tsx';
import { undeliveredOf } from './undelivered.ts';

const maxRead = 100;

/** Offers to send again what a channel that works now did not deliver; nothing if it delivered all. */
export function SendAgain({ app, channel }: { app: App; channel: Pick<Channel, 'id' | 'name'> }) {
  const path = pathTo(listDeliveries, { channelId: channel.id, limit: maxRead });
  const answer = useAnswer(app, path, app.said.value);
  const action = useAction(app);
  const ids = undeliveredOf(answer.data?.items ?? [], getNow());
  if (ids.length === 0) return null;
  return (
    <p class="row" data-undelivered={ids.length}>
      <span>
        {countOf(ids.length, 'message')} to {channel.name} {ids.length === 1 ? 'was' : 'were'} not delivered.
      </span>
      <ActButton
        action={action}
        label={`Send ${ids.length === 1 ? 'it' : 'them'} again`}
        run={async () => {
          for (const id of ids) await app.api.resendDelivery({ id });
          answer.reload();
          return ids.length === 1 ? 'Queued again.' : `${ids.length} messages queued again.`;
        }}
      />
      <Failure problem={action.problem} />
    </p>
  );
}
