import type { App } from '../core/app.ts';
import { choosableMarkets, marketChanges, shownMarkets } from '../core/market-choice.ts';
import { SomeOf } from './choice.tsx';

/** One or several markets of the database, which the address names; nothing where there is one alone. */
export function MarketChooser({ app: { address, markets } }: { app: App }) {
  const choosable = choosableMarkets(markets.value ?? []);
  if (choosable.length === 0) return null;
  return (
    <SomeOf
      legend="Market"
      name="market"
      options={choosable.map(({ name, kind }) => ({ value: name, label: name, title: kind }))}
      chosen={shownMarkets(address.place.value.query, choosable).map(({ name }) => name)}
      choose={(names) => address.change(marketChanges(names, choosable))}
    />
  );
}
