import { plainName } from '../../books/choose-market.ts';
import { type GpuForm, modelsNamed } from '../../core/gpu-names.ts';

/** A GPU as named in a catalog; `form` is empty if the row does not state it. */
export interface CatalogGpu {
  name: string;
  form: GpuForm | '';
}

/**
 * Returns the market's models that it may be: one, several, or none. A name that is not in the table must equal the
 * market's. Source: docs/meaning.md#other-sellers-list-prices.
 */
export const modelsOf = ({ name, form }: CatalogGpu): readonly string[] =>
  modelsNamed(name, form === '' ? null : form) ?? [name];

/** Whether it is certainly this model of the market. */
export function isModel(gpu: CatalogGpu, gpuName: string): boolean {
  const models = modelsOf(gpu);
  return models.length === 1 && plainName(models[0] ?? '') === plainName(gpuName);
}
