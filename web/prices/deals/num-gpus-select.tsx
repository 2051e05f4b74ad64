import type { App } from '../../core/app.ts';
import { Select } from '../../parts/choice.tsx';
import { listedValues } from '../../parts/filter-fields.ts';

const common = ['1', '2', '4', '8'];

/** Chooses how many GPUs an offer has; numbers of the address beside the common ones stay a choice. */
export function NumGpusSelect({ app }: { app: App }) {
  const given = app.address.place.value.query.getAll('numGpus').join(', ');
  const values = given === '' || common.includes(given) ? common : [...common, given];
  return (
    <Select
      label="GPUs"
      name="numGpus"
      options={[{ value: '', label: 'Any' }, ...values.map((value) => ({ value, label: value }))]}
      value={given}
      choose={(value) => app.address.change({ numGpus: listedValues(value) })}
    />
  );
}
