import type { PricingType } from '../core/api.ts';
import { chosenTypes } from '../core/chosen-types.ts';
import { SomeOf } from './choice.tsx';
import { typeLabels } from './type-labels.ts';

interface Props {
  /** The types that have a book. */
  listed: readonly PricingType[];
  /** The query with the types, which are choices even if they have no book. */
  query: URLSearchParams;
  choose: (types: PricingType[]) => void;
}

/** Chooses one or several pricing types. */
export function TypeChooser({ listed, query, choose }: Props) {
  const chosen = chosenTypes(query);
  return (
    <SomeOf
      legend="Type"
      name="type"
      options={[...new Set([...listed, ...chosen])].map((value) => ({
        value,
        label: typeLabels[value] ?? value,
      }))}
      chosen={chosen}
      choose={choose}
    />
  );
}
