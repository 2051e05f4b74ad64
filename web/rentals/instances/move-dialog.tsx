import { useEffect, useState } from 'preact/hooks';
import type { Instance, InstanceDetail, Quote } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { formatAmount, formatUsd } from '../../core/figures.ts';
import { useAction } from '../../core/use-action.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { EqualEnding, useEqualEnd } from './equal-end.tsx';
import { gpusOf, nameOf } from './instance-rows.ts';

interface Props {
  app: App;
  instance: Instance;
  equal: NonNullable<InstanceDetail['equal']>;
  done: () => void;
  close: () => void;
}

/** Asks the market for the present price of the cheaper machine, and rents it once the reader confirms. */
export function MoveDialog({ app, instance, equal, done, close }: Props) {
  const [quote, setQuote] = useState<Quote | null>(null);
  // One key per dialog, so that at most one instance is created whatever happens to the response.
  const [key] = useState(() => crypto.randomUUID());
  const quoting = useAction(app);
  const action = useAction(app);
  const id = Number(instance.instanceId);
  const { offerId } = equal;
  useEffect(() => {
    void quoting.run(async () => {
      const answer = await app.api.rentReplacement({ id, body: { offerId, dryRun: true } });
      if ('wouldRent' in answer) setQuote(answer);
      return undefined;
    });
  }, []);
  async function rent(): Promise<string> {
    // Rounded up, because a number cannot hold all decimals of the price.
    const maxUsdPerHour = Math.ceil(Number(quote?.usdPerHour) * 1e6) / 1e6;
    const rented = await app.api.rentReplacement({
      id,
      body: { offerId, maxUsdPerHour },
      idempotencyKey: key,
    });
    if (!('state' in rented)) return 'The request was only quoted.';
    done();
    return rented.state === 'failed'
      ? `Nothing was rented: ${rented.reason ?? 'the market refused'}.`
      : `${rented.gpuName} × ${rented.numGpus} rented for ${formatAmount(rented.usdPerHour, 4)}/hour.`;
  }
  const endsAt = quote === null ? equal.hostEndsAt : quote.endsAt;
  const end = useEqualEnd(app)(instance, endsAt);
  // When the host ends it is said above them.
  const warnings = (quote?.warnings ?? []).filter(({ kind }) => kind !== 'ends-early');
  const against =
    quote === null
      ? []
      : [...quote.guards, ...(quote.refusal === null ? [] : [quote.refusal])]
          .map(({ message }) => message)
          .concat(quote.problems);
  return (
    <Confirm
      title="Rent the cheaper machine?"
      action={quote?.usdPerHour == null ? 'Rent it' : `Rent for ${formatAmount(quote.usdPerHour, 4)}/hour`}
      busy={action.busy}
      waits={quote?.wouldRent === true ? undefined : quoting.busy ? 'Getting a quote…' : 'Not possible now'}
      close={close}
      confirm={() => void action.run(rent)}
    >
      <p>
        {gpusOf(instance)} on machine {equal.machineId}
        {quote?.usdPerHour == null ? '' : ` for ${formatAmount(quote.usdPerHour, 4)}/hour`}, in place of{' '}
        <span class="cut" title={nameOf(instance)}>
          {nameOf(instance)}
        </span>{' '}
        at {formatAmount(instance.runningUsdPerHour, 4)}/hour
        {saving(instance, quote)}. It gets the same image, settings, label and limits; hours and dollars of
        limits count anew.
      </p>
      <EqualEnding endsAt={endsAt} end={end} />
      <p class="remark">
        No data is copied: it starts with an empty disk. This instance stays and is charged until you destroy
        it; you are asked once the new one is ready.
      </p>
      {warnings.length > 0 && <p class="soft">{warnings.map(({ message }) => message).join(' ')}</p>}
      {against.length > 0 && (
        <ul class="sentences failure" aria-label="Reasons for refusal">
          {against.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      <Failure problem={quoting.problem ?? action.problem} />
    </Confirm>
  );
}

function saving({ runningUsdPerHour }: Instance, quote: Quote | null): string {
  if (quote?.usdPerHour == null || runningUsdPerHour === null) return '';
  const saved = Number(runningUsdPerHour) - Number(quote.usdPerHour);
  return saved > 0 ? `: ${formatUsd(saved)}/hour less` : '';
}
