import type { Instance } from '../../core/api.ts';
import { formatUsd } from '../../core/figures.ts';
import { Icon } from '../../parts/icon.tsx';
import { stateWords } from './state-words.ts';

/** The state of an instance, with what its owner should know. */
export function InstanceState({ instance }: { instance: Instance }) {
  const { text, grade } = stateWords(instance.state);
  const more = [instance.reason, instance.wantedProblem, instance.statusMessage].filter(
    (part) => part !== null,
  );
  return (
    <span title={more.join('\n')}>
      <Icon name={grade} /> {text}
      {instance.state === 'start-failed' && (
        <div class="soft">It will never run, and its disk is charged: destroy it.</div>
      )}
      {instance.found !== null && (
        <div class="soft" data-found={instance.found.offerId}>
          {instance.found.replacementId === null
            ? `offer ${instance.found.offerId} is cheaper: ${formatUsd(instance.found.usdPerHour)}/hour`
            : `its replacement is rented at ${formatUsd(instance.found.usdPerHour)}/hour: destroy this one once that is ready`}
        </div>
      )}
    </span>
  );
}
