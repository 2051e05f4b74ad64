import { spendGroupName } from '../core/market-words.ts';

interface Props {
  grouping: string;
  /** As the API returns it; null: the market states none. */
  value: string | null;
}

/** A spend group's readable name, with the marketplace's own word in the tooltip. */
export function GroupName({ grouping, value }: Props) {
  const name = spendGroupName(grouping, value);
  return name === value || value === null ? name : <span title={value}>{name}</span>;
}
