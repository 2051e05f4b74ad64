import type { Channel } from '../core/api.ts';
import type { App, Warning } from '../core/app.ts';
import { deviceName, pushProblem, subscribe } from '../core/service-worker.ts';
import { useAction } from '../core/use-action.ts';
import { Failure } from '../parts/failure.tsx';
import { addedWords } from './test-channel.ts';

interface Props {
  app: App;
  /** Empty: that of the device. */
  name: string;
  added: (channel: Channel, madeSecret: null) => void;
}

/** Makes this browser a channel: asks for permission, subscribes and stores the subscription. */
export function ThisBrowser({ app, name, added }: Props) {
  const action = useAction(app);
  const problem = pushProblem(window);
  const device = deviceName(window.navigator.userAgent);
  async function add(): Promise<string | Warning> {
    const { publicKey } = await app.api.getPushKey();
    const secret = await subscribe(window, publicKey);
    const body = { kind: 'browser' as const, name: name === '' ? device : name, config: { device }, secret };
    const { madeSecret: _, ...channel } = await app.api.createChannel({ body });
    added(channel, null);
    return addedWords(channel);
  }
  return (
    <>
      <button
        type="button"
        disabled={action.busy || problem !== null}
        aria-describedby={problem === null ? undefined : 'push-problem'}
        onClick={() => void action.run(add)}
      >
        Use this browser
      </button>
      {problem !== null && (
        <p class="remark" id="push-problem" data-missing="browser">
          {problem}
        </p>
      )}
      {action.problem !== null && <Failure problem={action.problem} />}
    </>
  );
}
