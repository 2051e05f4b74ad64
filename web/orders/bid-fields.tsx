import type { OrderChoice } from '../core/api.ts';
import { Choice, Switch } from '../parts/choice.tsx';
import { TextField } from '../parts/text-field.tsx';

/** How a choice bids, as the form holds it. */
export interface FilledBid {
  /** Whether it bids at all; without it machines are rented on demand. */
  bids: boolean;
  abovePercent: string;
  stepPercent: string;
  whenOutbid: 'wait' | 'replace';
}

/** Returns how a choice bids, for the form; with the defaults if it does not. */
export const filledBid = (bid: OrderChoice['bid']): FilledBid => ({
  bids: bid !== undefined,
  abovePercent: String(bid?.abovePercent ?? 10),
  stepPercent: String(bid?.stepPercent ?? 10),
  whenOutbid: bid?.whenOutbid ?? 'wait',
});

/** Returns the `bid` of a choice for the API; nothing if it does not bid. */
export const bidBody = ({ bids, abovePercent, stepPercent, whenOutbid }: FilledBid) =>
  bids ? { bid: { abovePercent: Number(abovePercent), stepPercent: Number(stepPercent), whenOutbid } } : {};

/** Whether and how a choice bids for interruptible machines. */
export function BidFields({ bid, set }: { bid: FilledBid; set: (bid: FilledBid) => void }) {
  return (
    <>
      <Switch
        label="Bid for interruptible machines"
        name="bids"
        title="They cost less, and stop when somebody bids more. The watch must include interruptible offers"
        on={bid.bids}
        change={(bids) => set({ ...bid, bids })}
      />
      {bid.bids && (
        <div class="fields">
          <TextField
            label="First bid, % above min"
            name="abovePercent"
            type="number"
            required
            min={0}
            max={900}
            value={bid.abovePercent}
            set={(abovePercent) => set({ ...bid, abovePercent })}
          />
          <TextField
            label="Raise if outbid, %"
            name="stepPercent"
            type="number"
            required
            min={1}
            max={100}
            title="Again and again, up to the max price"
            value={bid.stepPercent}
            set={(stepPercent) => set({ ...bid, stepPercent })}
          />
          <Choice
            legend="When the highest bid is outbid"
            name="whenOutbid"
            options={[
              { value: 'wait', label: 'Wait', title: 'It runs again when its bid wins again' },
              {
                value: 'replace',
                label: 'Replace it',
                title: 'Destroys it with its data as soon as another offer of any choice fits',
              },
            ]}
            chosen={bid.whenOutbid}
            choose={(whenOutbid) => set({ ...bid, whenOutbid })}
          />
        </div>
      )}
    </>
  );
}
