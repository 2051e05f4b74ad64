import { useEffect } from 'preact/hooks';
import { reasonAgainst, renting } from '../../core/permission.ts';
import { Reason } from '../../parts/allowed.tsx';
import { LoadingNotice } from '../../parts/notice.tsx';
import type { ViewProps } from '../../parts/view.ts';
import { ViewHead } from '../../parts/view-head.tsx';
import { BackToDeals } from './back-to-deals.tsx';
import { LoadingHead, RentOffer } from './rent-offer.tsx';

/** Rents an offer on one page: the machine, what to run, and the total, which stays as the market has it. */
export function RentView({ app, status }: ViewProps) {
  const { path, query } = app.address.place.value;
  const offerId = /^\d+$/.test(path.split('/')[2] ?? '') ? Number(path.split('/')[2]) : null;
  const reason = reasonAgainst(status, renting);
  // Where nothing can be rented it says why instead, whichever answer comes first.
  const leads = offerId === null && status !== null && reason === null;
  useEffect(() => {
    if (!leads) return;
    app.address.replace('/deals');
    app.say('Choose an offer to rent.');
  }, [app, leads]);
  // A viewer may not even ask for a quote.
  if (reason !== null) {
    return (
      <>
        <ViewHead title={offerId === null ? 'Rent' : `Offer ${offerId}`}>
          <BackToDeals app={app} query={query} />
        </ViewHead>
        <p>
          <Reason>{reason}</Reason>
        </p>
      </>
    );
  }
  if (offerId === null) return <LoadingNotice what="the deals" />;
  if (status === null) {
    return (
      <>
        <LoadingHead app={app} query={query} />
        <LoadingNotice what="the offer from the market" />
      </>
    );
  }
  const bid = query.get('type') === 'bid';
  return <RentOffer key={String(bid)} app={app} offerId={offerId} bid={bid} query={query} />;
}
