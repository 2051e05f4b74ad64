import type { OrderChoice, StandingOrder } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { formatAmount } from '../core/figures.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Icon } from '../parts/icon.tsx';
import { Moment } from '../parts/moment.tsx';
import { OrderButtons } from './order-buttons.tsx';
import { type OrderNames, watchName } from './order-names.ts';
import { choicesOf, newestStep, orderStateWords, priceConditions } from './order-words.ts';

interface Props {
  app: App;
  items: readonly StandingOrder[];
  names: OrderNames;
  done: () => void;
}

/** Orders with their states, conditions and machines. */
export function OrderTable({ app, items, names, done }: Props) {
  return (
    <DataTable
      label="List of orders"
      id="order-table"
      stacks
      rows={items}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Order',
          heads: true,
          field: 'name',
          value: ({ name }) => name,
          cell: ({ id, name }) => (
            <a class="wrapped" href={`/orders/${id}`}>
              {name}
            </a>
          ),
        },
        {
          head: 'State',
          field: 'state',
          value: ({ state }) => state,
          class: (order) => `wraps outcome ${orderStateWords(order).grade}`,
          cell: (order) => <OrderState order={order} />,
        },
        {
          head: 'Machines',
          number: true,
          field: 'machines',
          title: 'Rented of wanted',
          value: ({ machines }) => machines,
          cell: ({ machines, count }) => `${machines} of ${count}`,
        },
        {
          head: 'Rents',
          class: () => 'wraps',
          cell: (order) =>
            choicesOf(order).map((choice) => (
              <div key={JSON.stringify(choice)}>
                {watchName(names, choice.watchId)}: <Conditions choice={choice} />
              </div>
            )),
        },
        { head: 'Until', cell: ({ endsAt }) => <Moment t={endsAt} relative={false} /> },
        {
          head: 'Committed',
          number: true,
          title: 'What its machines may still cost or have cost, of its budget; without traffic',
          field: 'committedUsd',
          value: ({ committedUsd }) => committedUsd,
          cell: budgetWords,
        },
        { head: 'Newest step', class: () => 'wraps', cell: (order) => <NewestStep order={order} /> },
        {
          head: 'Actions',
          actions: true,
          cell: (order) => <OrderButtons app={app} order={order} small done={done} />,
        },
      ]}
    />
  );
}

/** Formats what is committed of an order's budget. */
export const budgetWords = ({ committedUsd, budgetUsd }: StandingOrder): string =>
  `${committedUsd === null ? 'no end' : formatAmount(committedUsd)}${budgetUsd === null ? ', no budget' : ` of ${formatAmount(budgetUsd)}`}`;

/** The price conditions of a choice, each on one line. */
export const Conditions = ({ choice }: { choice: OrderChoice }) => (
  <>
    {priceConditions(choice).map((condition, place) => (
      <span key={condition} class="soft">
        {place > 0 && ', '}
        <span class="whole">{condition}</span>
      </span>
    ))}
  </>
);

/** An order's state, with what it waits for or why it ended. */
export function OrderState({ order }: { order: StandingOrder }) {
  const { text, grade } = orderStateWords(order);
  const why = order.waitingReason ?? order.reason;
  return (
    <>
      <Icon name={grade} /> {text}
      {why !== null && <div class="soft">{why}</div>}
    </>
  );
}

function NewestStep({ order }: { order: StandingOrder }) {
  const { at, words } = newestStep(order);
  return (
    <>
      {words}
      <div class="soft">
        <Moment t={at} relative={false} />
      </div>
    </>
  );
}
