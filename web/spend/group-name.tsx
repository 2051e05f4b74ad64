import type { Spend } from '../core/api.ts';
import { spendGroupName } from '../core/market-words.ts';
import { InstanceName } from './instance-name.tsx';

interface Props {
  grouping: string;
  /** As the API returns it; null: the market states none. */
  value: string | null;
  /** Names of the instances among the groups. */
  instances: Spend['instances'];
  /** Whether an instance leads to its page. @default false */
  withLink?: boolean;
}

/** A spend group's readable name, with the marketplace's own word in the tooltip. */
export function GroupName({ grouping, value, instances, withLink = false }: Props) {
  const instance =
    grouping === 'instance' ? instances.find((each) => String(each.instanceId) === value) : undefined;
  if (instance !== undefined) return <InstanceName {...instance} source={null} withLink={withLink} />;
  const name = spendGroupName(grouping, value);
  return name === value || value === null ? name : <span title={value}>{name}</span>;
}
