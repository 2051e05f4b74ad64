import { useState } from 'preact/hooks';
import type { Instance } from '../../core/api.ts';
import { problemOf, problemText } from '../../core/api-client.ts';
import type { App } from '../../core/app.ts';
import { countOf, formatCount, formatHourlyOfDay, formatUsd } from '../../core/figures.ts';
import { Dialog, TypedField } from '../../parts/dialog.tsx';
import { endedCost, gpusOf, keyOf, nameOf } from './instance-rows.ts';
import { noteEnding } from './note-ending.ts';
import { Volumes } from './what-dies.tsx';

/** Instances to stop or destroy together. */
export interface BulkEnding {
  kind: 'stop' | 'destroy';
  instances: readonly Instance[];
}

interface Props extends BulkEnding {
  app: App;
  /** Called after each answer, so that the list is read again. */
  changed: () => void;
  /** Called at the end, with the instances for which it failed. */
  close: (failed: readonly Instance[]) => void;
}

const verbs = { stop: 'Stop', destroy: 'Destroy' } as const;

/** Names the instances to stop or destroy and the sum that ends, then asks the market for one after the other. */
export function BulkDialog({ app, kind, instances, changed, close }: Props) {
  // Those that were ticked, whatever the list shows meanwhile.
  const [chosen] = useState(instances);
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, string>>>({});
  const [state, setState] = useState<'asking' | 'sending' | 'done'>('asking');
  const [typed, setTyped] = useState('');
  const [failed, setFailed] = useState<readonly Instance[]>([]);
  const count = countOf(chosen.length, 'instance');
  const needed = `destroy ${chosen.length}`;
  const isMeant = kind === 'stop' || typed.trim().toLowerCase() === needed;
  async function send(): Promise<void> {
    setState('sending');
    const refused: Instance[] = [];
    for (const instance of chosen) {
      const set = (outcome: string) => setOutcomes((known) => ({ ...known, [keyOf(instance)]: outcome }));
      set('sending…');
      try {
        const { outcome } = await app.api[`${kind}Instance`]({ id: Number(instance.instanceId) });
        noteEnding(app, instance, { kind, outcome });
        set(outcome === 'accepted' ? 'accepted by the market' : 'retrying until the market confirms it');
      } catch (error) {
        refused.push(instance);
        set(`failed: ${problemText(problemOf(error))}`);
      }
      changed();
    }
    setFailed(refused);
    setState('done');
    app.say(`${verbs[kind]} ${count}: ${chosen.length - refused.length} sent, ${refused.length} failed.`);
  }
  return (
    <Dialog title={`${verbs[kind]} ${count}?`} close={() => close(failed)}>
      <p>
        <strong data-ends>{sumWords(kind, chosen)}</strong>{' '}
        {kind === 'stop'
          ? 'Programs end. Disks are kept until you destroy the instances.'
          : 'All data on their disks is deleted for good. This cannot be undone.'}
      </p>
      <ul class="bulk" aria-label={`Instances to ${kind}`}>
        {chosen.map((instance) => (
          <li key={keyOf(instance)} data-key={keyOf(instance)}>
            <span class="cut" title={nameOf(instance)}>
              {nameOf(instance)}
            </span>
            <span class="soft">
              {gpusOf(instance)}, {instance.instanceId}
              {kind === 'destroy' &&
                instance.diskGb !== null &&
                `, disk of ${formatCount(instance.diskGb)} GB`}
            </span>
            <span role="status">{outcomes[keyOf(instance)] ?? ''}</span>
          </li>
        ))}
      </ul>
      {kind === 'destroy' && <Volumes app={app} instanceIds={chosen.map(({ instanceId }) => instanceId)} />}
      {kind === 'destroy' && state === 'asking' && <TypedField words={needed} given={typed} set={setTyped} />}
      <p class="row">
        {state !== 'done' && (
          <button
            type="button"
            class={kind === 'destroy' ? 'danger' : 'primary'}
            disabled={state === 'sending' || !isMeant}
            onClick={() => void send()}
          >
            {state === 'sending' ? 'Sending…' : `${verbs[kind]} ${count}`}
          </button>
        )}
        <button type="button" disabled={state === 'sending'} onClick={() => close(failed)}>
          {state === 'done' ? 'Done' : 'Cancel'}
        </button>
      </p>
    </Dialog>
  );
}

/** Returns the sum that ends, and what stays. */
function sumWords(kind: BulkEnding['kind'], instances: readonly Instance[]): string {
  const { usdPerHour, keptUsdPerDay, unknown } = endedCost(kind, instances);
  const kept = keptUsdPerDay === 0 ? '' : `; disks still cost ${formatHourlyOfDay(String(keptUsdPerDay))}`;
  const unpriced = unknown === 0 ? '' : `, and ${unknown} of unknown price`;
  return `${formatUsd(usdPerHour)}/hour ends${unpriced}${kept}.`;
}
