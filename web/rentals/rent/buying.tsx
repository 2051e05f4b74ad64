import { useEffect, useRef, useState } from 'preact/hooks';
import { problemOf } from '../../core/api-client.ts';
import type { App } from '../../core/app.ts';
import type { Action } from '../../core/use-action.ts';
import { type Attempt, attemptOf, type KnownQuote, type Quoted } from './quoted.ts';
import { RentDialog } from './rent-dialog.tsx';
import { rateWords, TotalCard } from './total-card.tsx';
import type { Quoting } from './use-quote.ts';

interface Props {
  app: App;
  known: KnownQuote;
  quoting: Quoting;
  /** What must be filled in before there is a price; null: nothing. */
  missing: string | null;
  action: Action;
  /** Grows when the form is submitted. */
  submits: number;
}

/** The total with the button to rent, and the confirmation, which waits for the quote of the fields as they are. */
export function Buying({ app, known, quoting, missing, action, submits }: Props) {
  const [isWanted, setIsWanted] = useState(false);
  const [asked, setAsked] = useState<Quoted | null>(null);
  const unsure = useRef<Attempt | null>(null);
  const { isCurrent, problem } = quoting;
  useEffect(() => {
    if (submits > 0) setIsWanted(true);
  }, [submits]);
  useEffect(() => {
    if (!isWanted || (!isCurrent && problem === null)) return;
    setIsWanted(false);
    if (isCurrent && missing === null && known.quote.wouldRent) setAsked(known);
  }, [isWanted, isCurrent, problem, missing, known]);

  async function rent(quoted: Quoted): Promise<string> {
    const attempt = attemptOf(unsure.current, quoted, crypto.randomUUID());
    unsure.current = attempt;
    try {
      const rented = await app.api.rentInstance({ body: attempt.body, idempotencyKey: attempt.key });
      unsure.current = null;
      if (!('state' in rented)) return 'The request was only quoted.';
      const { instanceId } = rented;
      // Without an instance it is unclear whether it was rented.
      if (rented.state !== 'failed')
        app.gone.set(quoted.quote.offerId, instanceId === null ? 'missing' : 'rented here');
      app.address.go(instanceId === null ? '/instances' : `/instances/${instanceId}`);
      return rented.state === 'failed'
        ? `Nothing was rented: ${rented.reason ?? 'the market refused'}.`
        : `${rented.gpuName} × ${rented.numGpus} rented for ${rateWords(rented.usdPerHour)}.`;
    } catch (error) {
      const { status } = problemOf(error);
      if (status !== null && status < 500) unsure.current = null;
      throw error;
    }
  }

  return (
    <>
      <TotalCard known={known} quoting={quoting} missing={missing} isWanted={isWanted} />
      {asked !== null && (
        <RentDialog
          asked={asked}
          known={known}
          action={action}
          isRepeated={unsure.current !== null && !action.busy}
          accept={() => {
            action.clear();
            setAsked(known);
          }}
          rent={() => void action.run(() => rent(asked))}
          close={() => {
            action.clear();
            setAsked(null);
          }}
        />
      )}
    </>
  );
}
