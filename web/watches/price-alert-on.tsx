import { useState } from 'preact/hooks';
import type { App } from '../core/app.ts';
import { listedBy } from '../core/market-choice.ts';
import { AlertMe } from '../parts/alert-me.tsx';
import { Select } from '../parts/choice.tsx';

/** Opens the box of an alert on the price of a chosen model; nothing as long as no model is listed. */
export function PriceAlertOn({ app }: { app: App }) {
  const [chosen, choose] = useState<string | null>(null);
  const status = app.status.state.value.data;
  const { gpuNames } = listedBy(new URLSearchParams(), app.markets.value, status);
  const last = app.lastModel.of(status?.market.name ?? '');
  const name = [chosen, last].find((each) => each !== null && gpuNames.includes(each)) ?? gpuNames[0];
  if (name === undefined) return null;
  const query = new URLSearchParams({ gpuName: name });
  return (
    <>
      <h3>Add one on a price</h3>
      <div class="fields">
        <Select
          label="GPU model"
          name="alert-model"
          options={gpuNames
            .toSorted((a, b) => a.localeCompare(b, undefined, { numeric: true }))
            .map((value) => ({ value, label: value }))}
          value={name}
          choose={choose}
        />
        <AlertMe app={app} subject={{ kind: 'offers', name, query, asksReliable: true }} />
      </div>
    </>
  );
}
