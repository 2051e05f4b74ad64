/** A kind of rule of a watch: its name, and what has to be filled in. */
export interface RuleKind {
  label: string;
  params: readonly { name: string; label: string; unset: string }[];
  perListing: boolean;
}

/** The rules over books that a watch can have. */
export const ruleKinds: Readonly<Record<string, RuleKind>> = {
  priceBelow: {
    label: 'price below',
    params: [{ name: 'usd', label: 'Below, $', unset: '0.3' }],
    perListing: true,
  },
  percentileBelow: {
    label: 'cheaper than usual',
    params: [
      { name: 'percentile', label: 'Percentile below', unset: '10' },
      { name: 'days', label: 'Of the last days', unset: '30' },
    ],
    perListing: true,
  },
  lowestInDays: {
    label: 'lowest in days',
    params: [{ name: 'days', label: 'Days', unset: '7' }],
    perListing: true,
  },
  changePercent: {
    label: 'change',
    params: [
      { name: 'percent', label: 'By percent', unset: '10' },
      { name: 'since', label: 'Since hours ago', unset: '24' },
    ],
    perListing: true,
  },
  backInStock: { label: 'back in stock', params: [], perListing: false },
  supplyBelow: {
    label: 'supply below',
    params: [{ name: 'offers', label: 'Fewer offers than', unset: '5' }],
    perListing: false,
  },
  bidSpread: {
    label: 'bid spread',
    params: [{ name: 'percent', label: 'Percent below on-demand', unset: '50' }],
    perListing: false,
  },
};

/** A rule as a short sentence. */
export function ruleInWords({ kind, params }: { kind: string; params: Record<string, unknown> }): string {
  const known = ruleKinds[kind];
  const parts = Object.entries(params).map(([name, value]) => {
    const label = known?.params.find((param) => param.name === name)?.label.toLowerCase() ?? name;
    return `${label} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`;
  });
  return [known?.label ?? kind, ...parts].join(', ');
}
