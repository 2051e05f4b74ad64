/** The files of spend: what each is called and holds. Live sheets have the same. */
export const spendFiles = [
  {
    name: 'spend',
    label: 'All entries',
    holds:
      'One row for every charge and payment. The column “kind” has “estimate” for what is only estimated yet and “payment” for what was paid in or out; what was paid in has a minus.',
  },
  {
    name: 'spend-summary',
    label: 'Totals',
    holds: 'Sums by what is chosen under Group by; what was paid in has a minus.',
  },
  {
    name: 'spend-vs-market',
    label: 'Compared with the market',
    holds:
      'One row for every instance with GPU charges: what was paid, how far that is above the usual price of its model, and how much less an equal machine would have cost.',
  },
  {
    name: 'focus',
    label: 'Cost file',
    holds: 'All entries in the FinOps FOCUS format, which tools for cloud costs read.',
  },
  {
    name: 'rentals',
    label: 'Rentals',
    holds: 'One row for every rental through Offerbook.',
  },
] as const;
