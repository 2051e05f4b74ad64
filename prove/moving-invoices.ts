import type { Simulator } from '../src/simulator/simulator.ts';

type TrueInvoice = ReturnType<Simulator['invoices']>[number];

/** Changes a market's invoices while they are read, and records all of their states. */
export interface MovingInvoices {
  /** Every state that any invoice ever had. */
  ever: ReadonlySet<string>;
  /** Changes so far. */
  counts: Readonly<Record<'added' | 'backdated' | 'paid' | 'removed', number>>;
  stop: () => Promise<void>;
}

interface MoveOptions {
  random: () => number;
  /** Pause between two changes, ms. */
  everyMs: number;
  /** Whether only the last days may still change, which a later sync reads again. */
  onlyLately: () => Promise<boolean>;
}

const dayS = 86_400;
const latelyDays = 40;

/** An invoice with all its fields as text. */
export const invoiceText = (invoice: TrueInvoice): string => {
  const { id, startS, endS, type, source, service, description, amountUsd } = invoice;
  return JSON.stringify([id, startS, endS, type, source, service, description, Number(amountUsd)]);
};

/**
 * Every few milliseconds an invoice appears, dated now or earlier, often in the same second as another, or one is paid or
 * vanishes.
 */
export function moveInvoices(simulator: Simulator, options: MoveOptions): MovingInvoices {
  const { random } = options;
  const counts = { added: 0, backdated: 0, paid: 0, removed: 0 };
  const invoices = simulator.invoices();
  const ever = new Set(invoices.map(invoiceText));
  const nowS = (): number => Math.floor(simulator.now().getTime() / 1_000);
  const placeOfAny = (from: readonly TrueInvoice[]): number => Math.floor(random() * from.length);
  const add = (startS: number): void => {
    const paid = random() < 0.5;
    const amountUsd = `-${1 + (invoices.length % 97)}.25`;
    const id = simulator.addInvoice({ amountUsd, at: new Date(startS * 1_000), paid });
    const service = 'cardproc_payments';
    const invoice = { id, startS, endS: paid ? startS : null, type: 'credit', source: service, service };
    invoices.push({ ...invoice, description: 'Payment', amountUsd });
    ever.add(invoiceText({ ...invoice, description: 'Payment', amountUsd }));
  };
  const pay = (invoice: TrueInvoice): void => {
    // The second may end in between.
    invoice.endS = nowS();
    ever.add(invoiceText(invoice));
    simulator.payInvoice(invoice.id);
    ever.add(invoiceText({ ...invoice, endS: nowS() }));
    counts.paid += 1;
  };
  const move = (lately: boolean): void => {
    const since = lately ? nowS() - latelyDays * dayS : Number.NEGATIVE_INFINITY;
    const open = invoices.filter(({ startS }) => startS > since);
    const other = open[placeOfAny(open)];
    const unpaid = open.filter(({ endS }) => endS === null);
    const due = unpaid[placeOfAny(unpaid)];
    const kind = random();
    if (kind < 0.2 || other === undefined) {
      add(nowS());
      counts.added += 1;
    } else if (kind < 0.6) {
      add(Math.min(other.startS + Math.floor(random() * 3) * 600, nowS()));
      counts.backdated += 1;
    } else if (kind < 0.75 && due !== undefined) {
      pay(due);
    } else {
      simulator.removeInvoice(other.id);
      invoices.splice(invoices.indexOf(other), 1);
      counts.removed += 1;
    }
  };
  let stopped = false;
  const moveOn = async (): Promise<void> => {
    while (!stopped) {
      const lately = await options.onlyLately();
      // Immediately, before the reader continues.
      if (!stopped) move(lately);
      await new Promise((resolve) => setTimeout(resolve, options.everyMs * 2 * random()));
    }
  };
  const done = moveOn();
  return {
    ever,
    counts,
    stop: async () => {
      stopped = true;
      await done;
    },
  };
}
