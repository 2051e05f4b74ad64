import type { Status } from '../core/api.ts';
import definitions from '../core/definitions.json' with { type: 'json' };
import { countOf } from '../core/figures.ts';
import { programCommand, startCommand } from '../core/program-command.ts';

/** Three steps from the simulator to a real market, with the state of each. */
export function FirstSteps({ status }: { status: Status | null }) {
  const live = status?.mode === 'live';
  const { books, actions } = stepsOf(status);
  return (
    <ol class="steps">
      <li class={`card ${books ? 'done' : ''}`}>
        <h2>Start in the simulator</h2>
        <p>
          Without settings, Offerbook crawls a built-in simulated market with two weeks of history. Nothing
          costs money here, so try everything: <a href="/trends">price trends</a>, <a href="/deals">deals</a>{' '}
          and <a href="/crawls">crawls</a>.
        </p>
        <p class="state">
          {books
            ? `Done: ${countOf(status?.gpuNames.length ?? 0, 'model')} on ${status?.market.name}.`
            : 'Creating the first books.'}
        </p>
      </li>
      <li class={`card ${live ? 'done' : ''}`}>
        <h2>Connect your market with a read-only key</h2>
        <p>
          Create a read-only key at your marketplace, stop Offerbook and start it again with both settings.
          Real and simulated books never share a database: a data folder of its own keeps them apart.
        </p>
        <pre>
          <code>
            {lines(
              'DATA_DIR=live \\',
              'MARKET_URL=https://market.example \\',
              'MARKET_API_KEY=… \\',
              startCommand,
            )}
          </code>
        </pre>
        <p>
          Then check the connection: <code>{programCommand} doctor</code> only reads.
        </p>
        <p class="state">{live ? `Done: ${status?.market.name} is connected.` : 'Not yet.'}</p>
      </li>
      <li class={`card ${live && actions ? 'done' : ''}`}>
        <h2>Decide whether it may rent</h2>
        <p>Renting is off on a real market until you turn it on with limits on what may be rented:</p>
        <pre>
          <code>
            {lines(
              'ACTIONS=on',
              'MARKET_ACT_API_KEY=…',
              ...definitions.limits.map(({ variable, example }) => `${variable}=${example}`),
            )}
          </code>
        </pre>
        <p class="state">
          {actions
            ? `Renting is on${live ? '' : ' in the simulator'}.`
            : 'Renting is off: nothing can be rented, started or destroyed from here.'}
        </p>
      </li>
    </ol>
  );
}

/** Returns which steps are done: books are there, the market is real, it may rent. */
export function stepsOf(status: Status | null) {
  return {
    books: (status?.newestBooks ?? []).length > 0,
    live: status?.mode === 'live',
    actions: status?.actions.enabled === true,
  };
}

const lines = (...each: string[]): string => each.join('\n');
