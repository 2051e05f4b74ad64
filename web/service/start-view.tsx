import { countOf } from '../core/figures.ts';
import type { ViewProps } from '../parts/view.ts';
import { ViewHead } from '../parts/view-head.tsx';

/** From the simulator to a real market in three steps, each with whether it is done. */
export function StartView({ status }: ViewProps) {
  const live = status?.mode === 'live';
  const books = (status?.newestBooks ?? []).length > 0;
  const actions = status?.actions.enabled === true;
  return (
    <>
      <ViewHead title="First steps" note="From the simulator to your market" />
      <ol class="steps">
        <li class={`card ${books ? 'done' : ''}`}>
          <h2>Look around in the simulator</h2>
          <p>
            Without settings Offerbook crawls a market that it makes up, two weeks of history included.
            Nothing here costs money, so try it all: <a href="/trends">price trends</a>,{' '}
            <a href="/deals">deals</a> and <a href="/crawls">crawls</a>.
          </p>
          <p class="state">
            {books
              ? `Done: ${countOf(status?.gpuNames.length ?? 0, 'model')} on ${status?.market.name}.`
              : 'The first books are being made.'}
          </p>
        </li>
        <li class={`card ${live ? 'done' : ''}`}>
          <h2>Give it a key that may only read</h2>
          <p>
            Make a key with reading rights at your marketplace, stop Offerbook and start it again with both
            settings. Real and simulated books never mix.
          </p>
          <pre>
            <code>{lines('MARKET_URL=https://market.example \\', 'MARKET_API_KEY=… \\', 'npm start')}</code>
          </pre>
          <p>
            Then see what answers there: <code>npx offerbook doctor</code> reads and changes nothing.
          </p>
          <p class="state">{live ? `Done: ${status?.market.name} is being followed.` : 'Not yet.'}</p>
        </li>
        <li class={`card ${live && actions ? 'done' : ''}`}>
          <h2>Decide whether it may act</h2>
          <p>
            Renting is off on a real market until you say so, with a limit for one machine, for all of them
            and for their number:
          </p>
          <pre>
            <code>
              {lines(
                'ACTIONS=on',
                'MARKET_ACT_API_KEY=…',
                'MAX_USD_PER_HOUR=1',
                'MAX_TOTAL_USD_PER_HOUR=5',
                'MAX_INSTANCES=4',
              )}
            </code>
          </pre>
          <p class="state">
            {actions
              ? `Actions are on${live ? '' : ', in the simulator'}.`
              : 'Actions are off: nothing can be rented, started or destroyed from here.'}
          </p>
        </li>
      </ol>
    </>
  );
}

const lines = (...each: string[]): string => each.join('\n');
