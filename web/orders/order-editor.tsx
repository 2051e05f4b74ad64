import { useEffect, useRef, useState } from 'preact/hooks';
import type { DryRun, StandingOrder, TriedOrder } from '../core/api.ts';
import { problemOf, problemText } from '../core/api-client.ts';
import type { App } from '../core/app.ts';
import { fieldErrors, isAboutFields } from '../core/field-errors.ts';
import { useAction } from '../core/use-action.ts';
import { SomeOf } from '../parts/choice.tsx';
import { Failure } from '../parts/failure.tsx';
import { Notice } from '../parts/notice.tsx';
import { FieldError, TextField } from '../parts/text-field.tsx';
import type { ViewProps } from '../parts/view.ts';
import { ViewHead } from '../parts/view-head.tsx';
import { channelOptions } from '../watches/chosen-channels.ts';
import { ChoiceList, choiceFieldNames } from './choice-fields.tsx';
import { DryRunResult } from './dry-run-result.tsx';
import { changedBody, type FilledOrder, filledOrder, hiddenParts, orderBody } from './filled-order.ts';
import type { OrderNames } from './order-names.ts';
import { RequestFields } from './request-fields.tsx';

interface Props extends ViewProps {
  names: OrderNames;
  /** null: a new one. */
  order: StandingOrder | null;
  /** Called once the order is saved, before it is shown. */
  saved?: () => void;
}

/** The form's labels of the API's fields, which errors name. */
const labels: Readonly<Record<string, string>> = {
  maxUsdPerGpuHour: '“Max $/GPU-hour”',
  maxPercentile: '“Among the cheapest, %”',
  minIndexFall: '“Prices like for like down by”',
  'request.maxHours': '“Time limit”',
  'request.endAction': '“At the time limit”',
  destroy: '“Destroy”',
};

/** The API's fields whose errors are shown beside them. */
const shownFields = [
  ...['name', 'count', 'endsAt', 'budgetUsd', 'channelIds', 'choices', 'request'],
  ...['image', 'templateHashId', 'diskGb', 'maxHours', 'label', 'costCenter'].map(
    (name) => `request.${name}`,
  ),
  ...choiceFieldNames.map((name) => `choices.${name}`),
];

/** The form of an order, with what it would have done in the past. */
export function OrderEditor({ app, status, names, order, saved }: Props) {
  const [before] = useState(() => filledOrder(order, app.address.place.value.query.get('watch') ?? ''));
  const [filled, setFilled] = useState(before);
  const [tried, setTried] = useState<DryRun | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const action = useAction(app);
  const errors = fieldErrors(action.problem, labels);
  const market = order?.market ?? status?.market.name;
  const watches = names.watches.filter(({ markets }) => market === undefined || markets.includes(market));
  const fill = (change: Partial<FilledOrder>): void => {
    setFilled({ ...filled, ...change });
    setTried(null);
  };
  useEffect(() => {
    if (action.problem !== null) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [action.problem]);

  const isArmed = order?.state === 'armed';
  const tryIt = () =>
    action.run(async () => {
      setTried(await app.api.dryRunNewOrder({ body: triedBody(filled) }));
      return undefined;
    });
  if (watches.length === 0) {
    return (
      <>
        <ViewHead title="New order" />
        <Notice title="An order needs a watch">
          The watch says which machines fit. <a href="/watches/new">Create a watch</a> first.
        </Notice>
      </>
    );
  }
  return (
    <>
      <ViewHead title={order === null ? 'New order' : `Edit ${order.name}`} note="standing order" />
      <form
        ref={form}
        class="card"
        aria-label="Order"
        id="order-editor"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run(() => save(app, { order, before, filled, saved }));
        }}
      >
        <MainFields filled={filled} fill={fill} errors={errors} names={names} />
        <h2>
          Which machines, at which price
          <small>
            in order of preference; <a href="/watches/new">create another watch</a>
          </small>
        </h2>
        <ChoiceList
          choices={filled.choices}
          set={(choices) => fill({ choices })}
          watches={watches}
          errors={errors}
        />
        <h2>What to run</h2>
        <RequestFields
          filled={filled}
          fill={fill}
          errors={errors}
          hidden={order === null ? [] : hiddenParts(order)}
        />
        <p class="row">
          <button type="submit" class="primary" disabled={action.busy}>
            {action.busy ? 'Checking the past…' : isArmed ? 'Pause and save' : 'Save'}
          </button>
          <button
            type="button"
            disabled={action.busy}
            title="Shows what it would have rented with these settings, without saving them"
            onClick={() => {
              if (form.current?.reportValidity() === true) void tryIt();
            }}
          >
            Try without saving
          </button>
          <a class="button" href={order === null ? '/orders' : `/orders/${order.id}`}>
            Back
          </a>
        </p>
        {isArmed && (
          <p class="remark">It is armed. Saving pauses it, and it rents nothing until you arm it again.</p>
        )}
        {isAboutFields(action.problem, shownFields) ? (
          <p class="failure" role="alert">
            Not saved: see what is marked above.
          </p>
        ) : (
          <Failure problem={action.problem} />
        )}
      </form>
      {tried !== null && (
        <section class="card" aria-label="Dry run" id="tried">
          <h2>
            Dry run<small>with these settings, which are not saved</small>
          </h2>
          <DryRunResult dryRun={tried} choices={filled.choices.length} />
        </section>
      )}
    </>
  );
}

/** Returns the body of a dry run, which needs no name. */
function triedBody(filled: FilledOrder): TriedOrder {
  const { name, ...body } = orderBody(filled);
  return name === '' ? body : { ...body, name };
}

interface Saved {
  order: StandingOrder | null;
  before: FilledOrder;
  filled: FilledOrder;
  saved: (() => void) | undefined;
}

/** Saves an order, checks it with the past, shows it, and returns what to announce. */
async function save(app: App, { order, before, filled, saved }: Saved): Promise<string> {
  if (order?.state === 'armed') await app.api.pauseOrder({ id: order.id });
  const { id, name, dryRun } =
    order === null
      ? await app.api.createOrder({ body: orderBody(filled) })
      : await app.api.updateOrder({ id: order.id, body: changedBody(before, filled) });
  let failure = '';
  if (dryRun === null) {
    // It is saved by now, so a failure here must not look as if it was not.
    await app.api.dryRunOrder({ id, body: {} }).catch((error: unknown) => {
      failure = `, but its dry run failed: ${problemText(problemOf(error))}`;
    });
  }
  saved?.();
  app.address.go(`/orders/${id}`);
  return `${name} saved${failure}${failure === '' ? '.' : ''}`;
}

interface MainProps extends Pick<Props, 'names'> {
  filled: FilledOrder;
  fill: (filled: Partial<FilledOrder>) => void;
  errors: ReturnType<typeof fieldErrors>;
}

/** How many, until when, for how much, and whom to notify. */
function MainFields({ filled, fill, errors, names }: MainProps) {
  return (
    <>
      <div class="fields">
        <TextField
          label="Name"
          name="order-name"
          required
          value={filled.name}
          set={(name) => fill({ name })}
          error={errors('name')}
        />
        <TextField
          label="Machines"
          name="count"
          type="number"
          min={1}
          max={100}
          required
          title="How many it rents in total"
          value={filled.count}
          set={(count) => fill({ count })}
          error={errors('count')}
        />
        <TextField
          label="Until"
          name="endsAt"
          type="datetime-local"
          required
          title="It rents nothing after this time"
          value={filled.endsAt}
          set={(endsAt) => fill({ endsAt })}
          error={errors('endsAt')}
        />
        <TextField
          label="Budget, $"
          name="budgetUsd"
          type="number"
          min={0}
          placeholder="None"
          title="What its machines may cost in total, without traffic; needs a time limit, and Destroy at it"
          value={filled.budgetUsd}
          set={(budgetUsd) => fill({ budgetUsd })}
          error={errors('budgetUsd')}
        />
        {names.channels.length > 0 && (
          <SomeOf
            legend="Notify (if none is chosen: the channels of the first watch)"
            name="channel"
            options={channelOptions(names.channels)}
            chosen={filled.channelIds}
            choose={(channelIds) => fill({ channelIds })}
          />
        )}
      </div>
      <FieldError error={errors('channelIds')} />
    </>
  );
}
