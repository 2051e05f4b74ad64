import { plainName } from '../../books/choose-market.ts';
import { modelsOf } from './catalog-gpu.ts';
import type { NamedGpu } from './catalogs.sql.ts';

/** A catalog's GPU matched to models. */
export interface DescribedGpu {
  name: string;
  /** null: no row states it. */
  form: string | null;
  providers: string[];
  /** `ambiguous`: may be several models; `unknown`: not a model listed by a market. Neither is compared. */
  status: 'known' | 'ambiguous' | 'unknown';
  gpuNames: string[];
}

/** Matches the GPUs of catalogs to the models that markets list. */
export function describeGpus(named: readonly NamedGpu[], models: readonly string[]): DescribedGpu[] {
  const spelled = new Map(models.map((model) => [plainName(model), model]));
  return named.map(({ name, form, providers }) => {
    const listed = modelsOf({ name, form }).map((model) => spelled.get(plainName(model)) ?? null);
    const gpuNames = listed.filter((model) => model !== null);
    const status = gpuNames.length === 0 ? 'unknown' : listed.length === 1 ? 'known' : 'ambiguous';
    return { name, form: form === '' ? null : form, providers, status, gpuNames };
  });
}
