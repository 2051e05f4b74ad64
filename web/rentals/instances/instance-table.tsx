import type { Instance } from '../../core/api.ts';
import { formatAmount, formatPercent, formatUsd } from '../../core/figures.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Explain, explainQuery } from '../../parts/explain.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { Ending } from './end-dialog.tsx';
import { LimitsCell } from './limits-cell.tsx';
import { costWords, possibleActions, stateWords } from './state-words.ts';

/** Dialogs of an instance. */
export interface Asked {
  what: 'limits' | 'bid' | 'settle';
  instance: Instance;
}

interface Actions {
  end: (ending: Ending) => void;
  ask: (asked: Asked) => void;
  /** Puts off the end that comes soon. */
  extend: (instance: Instance) => void;
}

interface TableProps {
  items: readonly Instance[];
  /** null: the reader may not. */
  actions: Actions | null;
}

const nameOf = ({ instanceId, rentalId }: Instance) => String(instanceId ?? rentalId ?? 'unknown');

const explain = ({ instanceId }: Instance) =>
  instanceId === null ? null : explainQuery('instance', { instanceId: `${instanceId}` });

/** Instances with states, costs and actions. */
export function InstanceTable({ items, actions }: TableProps) {
  return (
    <DataTable
      label="List of instances"
      id="instance-table"
      stacks
      rows={items}
      keyOf={nameOf}
      columns={[
        {
          head: 'Instance',
          heads: true,
          cell: (instance) => (
            <>
              {instance.label ?? nameOf(instance)}
              <div class="soft plain">
                {instance.gpuName ?? 'GPU unknown'} × {instance.numGpus ?? '?'}
                {instance.type === 'bid' && <span class="tag">bid</span>}
              </div>
            </>
          ),
        },
        {
          head: 'State',
          class: ({ state }) => `outcome ${stateWords(state).grade}`,
          cell: (instance) => <State instance={instance} />,
        },
        {
          head: '$/hour now',
          number: true,
          field: 'usdPerHour',
          value: ({ usdPerHour }) => usdPerHour,
          cell: (instance) => (
            <Explain query={explain(instance)}>
              {instance.usdPerHour === null ? 'unknown' : formatAmount(instance.usdPerHour, 4)}
            </Explain>
          ),
        },
        {
          head: 'Cost so far',
          number: true,
          title: 'Charges so far, plus an estimate of the time since the last charge',
          field: 'cost',
          value: ({ cost }) => cost.usd,
          cell: (instance) => <Explain query={explain(instance)}>{costWords(instance.cost)}</Explain>,
        },
        {
          head: 'GPU utilization',
          number: true,
          cell: ({ gpuUtilPercent, idle }) => (
            <>
              {formatPercent(gpuUtilPercent, 0)}
              {idle === true && <span class="tag warn">idle</span>}
            </>
          ),
        },
        {
          head: 'Ends',
          cell: (instance) => <LimitsCell instance={instance} extend={actions?.extend ?? null} />,
        },
        {
          head: 'SSH',
          cell: ({ sshHost, sshPort }) =>
            sshHost === null ? '–' : <code>{`ssh -p ${sshPort} root@${sshHost}`}</code>,
        },
        ...(actions === null
          ? []
          : [
              {
                head: 'Actions',
                actions: true,
                cell: (instance: Instance) => <Doings instance={instance} {...actions} />,
              },
            ]),
      ]}
    />
  );
}

/** The buttons for an instance in its state. */
function Doings({ instance, end, ask }: Omit<Actions, 'extend'> & { instance: Instance }) {
  const name = nameOf(instance);
  const possible = possibleActions(instance.state);
  if (instance.state === 'unsettled') {
    return (
      <button
        type="button"
        class="small primary"
        aria-label={`Resolve ${name}`}
        onClick={() => ask({ what: 'settle', instance })}
      >
        Resolve …
      </button>
    );
  }
  return (
    <span class="row nowrap">
      {possible.map((kind) => (
        <button
          key={kind}
          type="button"
          class={kind === 'destroy' ? 'small danger' : 'small'}
          aria-label={`${verbs[kind]} ${name}`}
          onClick={() => end({ kind, instance })}
        >
          {verbs[kind]}
        </button>
      ))}
      {possible.length > 0 && instance.type === 'bid' && (
        <button
          type="button"
          class="small"
          aria-label={`Change the bid for ${name}`}
          onClick={() => ask({ what: 'bid', instance })}
        >
          Bid
        </button>
      )}
      {possible.length > 0 && (
        <button
          type="button"
          class="small quiet"
          aria-label={`Limits of ${name}`}
          onClick={() => ask({ what: 'limits', instance })}
        >
          Limits
        </button>
      )}
    </span>
  );
}

const verbs = { stop: 'Stop', start: 'Start', destroy: 'Destroy' } as const;

function State({ instance }: { instance: Instance }) {
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
      {instance.cheaper !== null && (
        <div class="soft">an equal machine saves {formatAmount(instance.cheaper.savesUsdPerDay)}/day</div>
      )}
    </span>
  );
}
