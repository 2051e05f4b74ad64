import type { Instance } from '../../core/api.ts';
import type { Ending } from './end-dialog.tsx';
import { keyOf } from './instance-rows.ts';
import { actionSlots } from './state-words.ts';

/** Dialogs of an instance. */
export interface Asked {
  what: 'limits' | 'bid' | 'settle';
  instance: Instance;
}

/** What the buttons of an instance do. */
export interface Acts {
  end: (ending: Ending) => void;
  ask: (asked: Asked) => void;
  /** Puts off the end that comes soon. */
  extend: (instance: Instance) => void;
}

const verbs = { stop: 'Stop', start: 'Start', destroy: 'Destroy' } as const;

interface Props {
  instance: Instance;
  acts: Acts;
  /** @default small buttons in one line */
  isLarge?: boolean;
}

/** The buttons for an instance; those that its state does not allow keep their place. */
export function InstanceActions({ instance, acts: { end, ask }, isLarge = false }: Props) {
  const name = keyOf(instance);
  const size = isLarge ? '' : 'small ';
  if (instance.state === 'unsettled') {
    return (
      <button
        type="button"
        class={`${size}primary`}
        aria-label={`Resolve ${name}`}
        onClick={() => ask({ what: 'settle', instance })}
      >
        Resolve…
      </button>
    );
  }
  if (instance.endedAt !== null || ['failed', 'destroyed'].includes(instance.state)) return null;
  const slots = actionSlots(instance.state);
  const unusable = slots.find(({ reason }) => reason !== null)?.reason ?? undefined;
  return (
    <span class={isLarge ? 'row' : 'row nowrap'}>
      {slots.map(({ kind }) => (
        <button
          key={kind}
          type="button"
          class={kind === 'destroy' ? `${size}danger` : `${size}start-stop`}
          disabled={unusable !== undefined}
          title={unusable}
          aria-label={`${verbs[kind]} ${name}`}
          onClick={() => end({ kind, instance })}
        >
          {verbs[kind]}…
        </button>
      ))}
      {instance.type === 'bid' && (
        <button
          type="button"
          class={size.trim()}
          disabled={unusable !== undefined}
          title={unusable}
          aria-label={`Change the bid for ${name}`}
          onClick={() => ask({ what: 'bid', instance })}
        >
          Bid…
        </button>
      )}
      <button
        type="button"
        class={isLarge ? '' : 'small quiet'}
        disabled={unusable !== undefined}
        title={unusable}
        aria-label={`Limits of ${name}`}
        onClick={() => ask({ what: 'limits', instance })}
      >
        Limits…
      </button>
    </span>
  );
}
