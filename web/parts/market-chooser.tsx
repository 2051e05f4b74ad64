import type { App } from '../core/app.ts';
import { choosableMarkets, marketChanges, shownMarkets } from '../core/market-choice.ts';
import { SomeOf } from './choice.tsx';

interface Props {
  app: App;
  /** The query with the markets. @default the address */
  query?: URLSearchParams;
  /** @default changes the address */
  change?: (changes: ReturnType<typeof marketChanges>) => void;
}

/** Chooses one or several markets of the database; empty if there is only one. */
export function MarketChooser({ app: { address, markets }, ...given }: Props) {
  const { query = address.place.value.query, change = address.change } = given;
  const choosable = choosableMarkets(markets.value ?? []);
  if (choosable.length === 0) return null;
  return (
    <SomeOf
      legend="Market"
      name="market"
      options={choosable.map(({ name, kind, rentingFeePercent: fee }) => ({
        value: name,
        label: fee > 0 ? `${name} (+${fee}% fee)` : name,
        title: kind,
      }))}
      chosen={shownMarkets(query, choosable).map(({ name }) => name)}
      choose={(names) => change(marketChanges(names, choosable))}
    />
  );
}
