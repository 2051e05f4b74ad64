/** The files of spend: what each is called and holds, and `more` about it, which a phone has no room for. Live sheets have the same. */
export const spendFiles = [
  {
    name: 'spend',
    label: 'All entries',
    holds:
      'One row for every charge and payment. The column “kind” has “estimate” for “Consumption, estimated” and “payment” for “Paid in”; what was paid in has a minus.',
    more: null,
  },
  {
    name: 'spend-summary',
    label: 'Totals',
    holds: 'Sums by what is chosen under Group by; what was paid in has a minus.',
    more: null,
  },
  {
    name: 'spend-vs-market',
    label: 'Compared with the market',
    holds: 'One row for every instance whose GPUs were charged: what was paid, and the market’s price.',
    more: 'Also how far that is above the usual price of the model on any machine, how much less an equal machine would have cost, or why it cannot be compared. Charges for disk or traffic alone have no row.',
  },
  {
    name: 'focus',
    label: 'Cost file',
    holds: 'All entries in the FinOps FOCUS format, which tools for cloud costs read.',
    more: null,
  },
  {
    name: 'rentals',
    label: 'Rentals',
    holds: 'One row for every rental through Offerbook.',
    more: null,
  },
] as const;

/** Returns all that is said of a file; empty for an unknown one. */
export function describeFile(name: string): string {
  const file = spendFiles.find((each) => each.name === name);
  return file === undefined ? '' : [file.holds, file.more].filter((part) => part !== null).join(' ');
}
