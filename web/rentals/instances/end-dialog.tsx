import { useState } from 'preact/hooks';
import type { Instance } from '../../core/api.ts';
import { problemOf, problemText } from '../../core/api-client.ts';
import type { App } from '../../core/app.ts';
import { formatAmount, formatHourlyOfDay } from '../../core/figures.ts';
import { sentenceCase } from '../../core/sentence-case.ts';
import { useAction } from '../../core/use-action.ts';
import { Choice } from '../../parts/choice.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { nameOf } from './instance-rows.ts';
import { noteEnding } from './note-ending.ts';
import { costWords, sentWords } from './state-words.ts';
import { WhatDies } from './what-dies.tsx';

/** The action to confirm on an instance. */
export interface Ending {
  kind: 'stop' | 'start' | 'destroy';
  instance: Instance;
}

interface Props {
  app: App;
  ending: Ending;
  done: () => void;
  close: () => void;
}

/** A longer label is not typed: the number is. */
const maxTypedCharacters = 40;

const titles = { stop: 'Stop', start: 'Start', destroy: 'Destroy' } as const;

/**
 * Explains what stopping, starting or destroying costs or saves, then does it; if the instance failed to start, can
 * also block its machine.
 */
export function EndDialog({ app, ending: { kind, instance }, done, close }: Props) {
  const action = useAction(app);
  const [blocked, setBlocked] = useState<Place | 'nothing'>('nothing');
  const name = nameOf(instance);
  const { label } = instance;
  const typed = label === null || label.length > maxTypedCharacters ? String(instance.instanceId) : label;
  const id = Number(instance.instanceId);
  return (
    <Confirm
      title={`${titles[kind]} ${name}?`}
      action={`${titles[kind]} it`}
      danger={kind === 'destroy'}
      typed={kind === 'destroy' ? typed : undefined}
      busy={action.busy}
      close={close}
      confirm={() =>
        void action.run(async () => {
          const { outcome } = await app.api[`${kind}Instance`]({ id });
          noteEnding(app, instance, { kind, outcome });
          // Destroys first, to save money even if blocking then fails.
          const also = blocked === 'nothing' ? '' : ` ${await block(app, instance, blocked)}`;
          done();
          return `${sentWords(kind, name, outcome)}${also}`;
        })
      }
    >
      {kind === 'destroy' ? (
        <WhatDies app={app} instance={instance} />
      ) : (
        <p>{consequence({ kind, instance })}</p>
      )}
      <p class="soft">
        Cost so far: {costWords(instance.cost)};{' '}
        {instance.billedUsdPerHour === null
          ? 'its current price is unknown'
          : `currently ${formatAmount(instance.billedUsdPerHour, 4)}/hour`}
        .
      </p>
      {kind === 'destroy' && instance.state === 'start-failed' && (
        <Choice
          legend="Block from rankings, watches and rentals"
          name="blocked"
          options={[
            { value: 'nothing', label: 'Nothing' },
            ...places.flatMap((place) => {
              const id = instance[`${place}Id`];
              return id === null ? [] : [{ value: place, label: `${sentenceCase(place)} ${id}` }];
            }),
          ]}
          chosen={blocked}
          choose={setBlocked}
        />
      )}
      <Failure problem={action.problem} />
    </Confirm>
  );
}

const places = ['machine', 'host'] as const;
type Place = (typeof places)[number];

/** Blocks the machine or host where an instance failed to start; returns the result as a sentence. */
async function block(app: App, { instanceId, ...instance }: Instance, place: Place): Promise<string> {
  const id = instance[`${place}Id`];
  try {
    const note = `instance ${instanceId} failed to start`;
    await app.api.addBlocklistEntry({ body: { [`${place}Id`]: id, note } });
    return `The ${place} ${id} is blocked.`;
  } catch (error) {
    return `The ${place} ${id} could not be blocked: ${problemText(problemOf(error))}`;
  }
}

/** Returns what a stop or a start does and what it costs from then on. */
function consequence({ kind, instance }: Ending): string {
  const disk =
    instance.stoppedUsdPerDay === null
      ? 'at an unknown price'
      : `at ${formatHourlyOfDay(instance.stoppedUsdPerDay)}`;
  if (kind === 'stop') {
    return `Programs end. The disk is kept ${disk} until you destroy the instance. The GPUs may be taken when you start it again.`;
  }
  const price =
    instance.runningUsdPerHour === null
      ? 'Its price is unknown'
      : `It costs ${formatAmount(instance.runningUsdPerHour, 4)}/hour`;
  return `${price} once it runs again, if its GPUs are still free.`;
}
