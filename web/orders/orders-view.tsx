import { useEffect, useRef } from 'preact/hooks';
import { getOrder, listOrders } from '../../client/operations.js';
import { pathTo } from '../core/path-to.ts';
import { ordering, reasonFor } from '../core/permission.ts';
import { useAnswer } from '../core/use-answer.ts';
import { type Live, useLive } from '../core/use-live.ts';
import { usePages } from '../core/use-pages.ts';
import { Allowed, Reason } from '../parts/allowed.tsx';
import { LiveState } from '../parts/live-state.tsx';
import { isMissing, Missing } from '../parts/missing.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Awaited, LoadingNotice, Notice } from '../parts/notice.tsx';
import type { ViewProps } from '../parts/view.ts';
import { ViewHead } from '../parts/view-head.tsx';
import { OrderEditor } from './order-editor.tsx';
import { type OrderNames, useOrderNames } from './order-names.ts';
import { OrderPage } from './order-page.tsx';
import { OrderTable } from './order-table.tsx';

/** Standing orders: all, one, or the form of one. */
export function OrdersView({ app, status }: ViewProps) {
  const { path } = app.address.place.value;
  const [id = null, part = null] = path.split('/').slice(2);
  const live = useLive(['order', 'rental', 'instance']);
  const names = useOrderNames(app);
  // Moves the focus to what is shown now, as between views.
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current !== path) document.getElementById('main')?.focus({ preventScroll: true });
    shown.current = path;
  }, [path]);
  const shared = { app, status, names };
  if (id === null) return <AllOrders {...shared} live={live} />;
  const reason = reasonFor(app, ordering);
  if (reason !== null && (id === 'new' || part === 'edit')) {
    return (
      <>
        <ViewHead title={id === 'new' ? 'New order' : 'Edit order'} />
        <p>
          <Reason>{reason}</Reason>
        </p>
      </>
    );
  }
  if (id === 'new') {
    return names.areKnown ? <OrderEditor {...shared} order={null} /> : <LoadingNotice what="the watches" />;
  }
  return <OneOrder key={id} {...shared} live={live} id={id} isEdited={part === 'edit'} />;
}

interface Props extends ViewProps {
  names: OrderNames;
  live: Live;
}

/** Returns an answer that is shown only once the names in it are known. */
const named = <T extends { data: unknown }>(answer: T, { areKnown }: OrderNames): T =>
  areKnown ? answer : { ...answer, data: null };

function AllOrders({ app, names, live }: Props) {
  const answer = useAnswer(app, pathTo(listOrders, { limit: 100 }), live.changed);
  const pages = usePages(app, answer);
  return (
    <>
      <ViewHead title="Orders">
        <Allowed app={app} permission={ordering}>
          <a class="button" href="/orders/new">
            New order
          </a>
        </Allowed>
        <LiveState state={live.state} />
      </ViewHead>
      <section class="card" aria-label="Orders" id="orders">
        <Awaited answer={named(answer, names)} what="the orders">
          {() =>
            pages.items.length === 0 ? (
              <Notice title="No orders yet">
                A standing order rents machines for you when an offer that matches a watch is cheap enough, up
                to a number and a budget that you set. It first shows what it would have rented in the past,
                and rents nothing until it is armed.{' '}
                {reasonFor(app, ordering) === null && <a href="/orders/new">Create an order</a>}
              </Notice>
            ) : (
              <>
                <OrderTable app={app} items={pages.items} names={names} done={answer.reload} />
                <MoreButton pages={pages} />
              </>
            )
          }
        </Awaited>
      </section>
    </>
  );
}

function OneOrder({ app, status, names, live, id, isEdited }: Props & { id: string; isEdited: boolean }) {
  const answer = useAnswer(app, pathTo(getOrder, { id }), live.changed);
  if (isMissing(answer)) {
    return (
      <Missing title="Order not found">
        It may have been deleted. See <a href="/orders">all standing orders</a>.
      </Missing>
    );
  }
  return (
    <Awaited answer={named(answer, names)} what="the order">
      {(order) =>
        isEdited ? (
          <OrderEditor app={app} status={status} names={names} order={order} saved={answer.reload} />
        ) : (
          <OrderPage app={app} order={order} names={names} live={live} done={answer.reload} />
        )
      }
    </Awaited>
  );
}
