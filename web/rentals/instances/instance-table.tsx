import type { Instance } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { endsIn } from '../../core/ending-words.ts';
import { formatAmount, formatPercent, formatUsd } from '../../core/figures.ts';
import { countryName } from '../../parts/country.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Explain, explainQuery } from '../../parts/explain.tsx';
import { Moment } from '../../parts/moment.tsx';
import { CopySsh } from './copy-ssh.tsx';
import { useEqualEnd } from './equal-end.tsx';
import { type Acts, InstanceActions } from './instance-actions.tsx';
import {
  gpusOf,
  isDescendingFirst,
  keyOf,
  nameOf,
  onceRunning,
  type ShownList,
  type Sorting,
  type SortKey,
  sortLabelsOf,
} from './instance-rows.ts';
import { InstanceState } from './instance-state.tsx';
import { LimitsCell } from './limits-cell.tsx';
import { costWords, isListedSoon, possibleActions, stateWords } from './state-words.ts';

/** The ticked rows, by their keys. */
export interface Ticks {
  ticked: ReadonlySet<string>;
  set: (ticked: ReadonlySet<string>) => void;
}

interface TableProps {
  app: App;
  items: readonly Instance[];
  shown: ShownList;
  sorting: Sorting | null;
  sortBy: (key: SortKey) => void;
  /** null: the reader may not act. */
  acts: Acts | null;
  ticks: Ticks;
}

const explain = ({ instanceId }: Instance) =>
  instanceId === null ? null : explainQuery('instance', { instanceId: `${instanceId}` });

/** Whether an instance can be stopped or destroyed, alone or with others. */
export const isTickable = ({ state, instanceId }: Instance): boolean =>
  instanceId !== null && possibleActions(state).length > 0;

/** Instances with states, costs and actions. */
export function InstanceTable({ app, items, shown, sorting, sortBy, acts, ticks }: TableProps) {
  const sorted = (key: SortKey): Pick<Column<Instance>, 'head' | 'sort'> => ({
    head: sortLabelsOf(shown)[key],
    sort: {
      now: sorting?.key !== key ? null : sorting.descending ? 'descending' : 'ascending',
      by: () => sortBy(key),
    },
  });
  return (
    <DataTable
      label="List of instances"
      id="instance-table"
      stacks
      rows={items}
      keyOf={keyOf}
      columns={[
        ...(acts === null ? [] : [tickColumn(items, ticks)]),
        {
          ...sorted('instance'),
          heads: true,
          class: () => 'named',
          cell: (instance) => (
            <>
              <InstanceLink instance={instance} />
              <div class="soft plain">
                {instance.label === null ? 'no label' : `${gpusOf(instance)} · ${keyOf(instance)}`}
                {instance.type === 'bid' && <span class="tag">bid</span>}
              </div>
            </>
          ),
        },
        {
          ...sorted('state'),
          class: ({ state }) => `outcome brief ${stateWords(state).grade}`,
          cell: (instance) => <InstanceState instance={instance} />,
        },
        {
          ...sorted('price'),
          number: true,
          title: 'As billed in its state: GPUs only while it runs',
          field: 'billedUsdPerHour',
          value: ({ billedUsdPerHour }) => billedUsdPerHour,
          cell: (instance) => <PriceNow app={app} instance={instance} />,
        },
        {
          ...sorted('cost'),
          number: true,
          title: 'Charges so far, plus an estimate of the time since the last charge',
          field: 'cost',
          value: ({ cost }) => cost.usd,
          cell: (instance) => <Explain query={explain(instance)}>{costWords(instance.cost)}</Explain>,
        },
        {
          ...sorted('use'),
          number: true,
          cell: ({ gpuUtilPercent, idle, endedAt }) => (
            <>
              {endedAt === null ? formatPercent(gpuUtilPercent, 0) : '–'}
              {idle === true && <span class="tag warn">idle</span>}
            </>
          ),
        },
        {
          ...sorted('place'),
          class: () => 'brief place',
          cell: ({ country, machineId }) => (
            <>
              <span>{countryName(country)}</span>
              <div class="soft beside">{machineId === null ? 'machine unknown' : `machine ${machineId}`}</div>
            </>
          ),
        },
        {
          ...sorted('end'),
          class: () => 'brief ending',
          cell: (instance) =>
            instance.endedAt === null ? (
              <LimitsCell instance={instance} extend={acts === null ? null : acts.extend} />
            ) : (
              <>
                ended <Moment t={instance.endedAt} />
              </>
            ),
        },
        {
          head: 'Actions',
          actions: true,
          cell: (instance) => (
            <span class="row nowrap">
              {acts !== null && <InstanceActions instance={instance} acts={acts} />}
              <CopySsh app={app} instance={instance} />
            </span>
          ),
        },
      ]}
    />
  );
}

/** What is billed now and, if that is only the disk, what it costs when it runs; or what a cheaper equal machine costs. */
function PriceNow({ app, instance }: { app: App; instance: Instance }) {
  const { instanceId, billedUsdPerHour, cheaper, endedAt } = instance;
  const running = onceRunning(instance);
  const { left, early } = useEqualEnd(app)(instance, cheaper?.hostEndsAt ?? null);
  // What has ended has no price now that could be explained.
  if (endedAt !== null) return <>–</>;
  const none = isListedSoon(instance) ? 'in seconds' : 'unknown';
  return (
    <>
      <Explain query={explain(instance)}>
        {billedUsdPerHour === null ? none : formatAmount(billedUsdPerHour, 4)}
      </Explain>
      {running !== null && (
        <>
          <span class="soft wide"> its disk</span>
          <div class="soft beside">{formatAmount(running, 4)} once it runs</div>
        </>
      )}
      {running === null && cheaper !== null && !app.gone.has(cheaper.offerId) && (
        <div class="soft beside">
          <a href={`/instances/${instanceId}`}>
            equal<span class="wide"> machine</span> {formatUsd(cheaper.usdPerHour)}/h
            {left !== null && early !== null && (
              <span title={`The host ends the equal machine ${early}.`} data-ends="early">
                {' '}
                for {endsIn(left)}
              </span>
            )}
          </a>
        </div>
      )}
    </>
  );
}

/** The name of an instance, with a link to its page; a rental without an instance has none. */
export function InstanceLink({ instance }: { instance: Instance }) {
  const name = nameOf(instance);
  return instance.instanceId === null ? (
    <span class="cut" title={name}>
      {name}
    </span>
  ) : (
    <a class="cut" title={name} href={`/instances/${instance.instanceId}`}>
      {name}
    </a>
  );
}

function tickColumn(items: readonly Instance[], { ticked, set }: Ticks): Column<Instance> {
  const keys = items.filter(isTickable).map(keyOf);
  const all = keys.length > 0 && keys.every((key) => ticked.has(key));
  return {
    head: 'Select',
    class: (instance) => (isTickable(instance) ? 'tick' : 'tick empty'),
    headCell: (
      <input
        type="checkbox"
        aria-label="Select all shown"
        disabled={keys.length === 0}
        checked={all}
        onChange={() => set(all ? new Set() : new Set(keys))}
      />
    ),
    cell: (instance) => {
      const key = keyOf(instance);
      return isTickable(instance) ? (
        <input
          type="checkbox"
          aria-label={`Select ${key}`}
          checked={ticked.has(key)}
          onChange={({ currentTarget }) => {
            const next = new Set(ticked);
            if (currentTarget.checked) next.add(key);
            else next.delete(key);
            set(next);
          }}
        />
      ) : null;
    },
  };
}

/** Returns the sorting after a click on a head, as changes of the address. */
export function nextSorting(now: Sorting | null, key: SortKey): Record<string, string | null> {
  const turns = now?.key === key && now.descending === isDescendingFirst(key);
  return { sort: key, turned: turns ? '1' : null };
}
