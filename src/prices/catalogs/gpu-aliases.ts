import { plainName } from '../../books/choose-market.ts';
import type { GpuForm } from './gpu-form.ts';

/**
 * Catalog names of GPUs, without blanks, punctuation and memory, that markets spell differently: one model, one per
 * form, or several that the name may mean. All other names must equal the market's.
 * Source: docs/meaning.md#other-sellers-list-prices.
 */
const aliases: Readonly<Record<string, string | Partial<Record<GpuForm, string>> | readonly string[]>> = {
  a100: { SXM: 'A100 SXM4', PCIE: 'A100 PCIE' },
  a800: { PCIE: 'A800 PCIE' },
  h100: { SXM: 'H100 SXM', PCIE: 'H100 PCIE', NVL: 'H100 NVL' },
  h100mega: 'H100 SXM',
  h200: { SXM: 'H200', NVL: 'H200 NVL' },
  a2000: 'RTX A2000',
  a4000: 'RTX A4000',
  a4500: 'RTX A4500',
  a5000: 'RTX A5000',
  a6000: 'RTX A6000',
  k80: 'Tesla K80',
  m60: 'Tesla M60',
  p4: 'Tesla P4',
  p40: 'Tesla P40',
  p100: 'Tesla P100',
  p4000: 'Quadro P4000',
  p5000: 'Quadro P5000',
  t4: 'Tesla T4',
  v100: 'Tesla V100',
  gtx1660super: 'GTX 1660 S',
  quadrortx5000: 'Q RTX 5000',
  quadrortx6000: 'Q RTX 6000',
  quadrortx8000: 'Q RTX 8000',
  rtx8000: 'Q RTX 8000',
  rtx5000: ['Q RTX 5000', 'RTX 5000Ada'],
  rtx6000: ['Q RTX 6000', 'RTX 6000Ada'],
  rtxpro6000: ['RTX PRO 6000 WS', 'RTX PRO 6000 S'],
};

/** A GPU as named in a catalog; `form` is empty if the row does not state it. */
export interface CatalogGpu {
  name: string;
  form: GpuForm | '';
}

/** Returns the market's models that it may be: one, several, or none. */
export function modelsOf({ name, form }: CatalogGpu): readonly string[] {
  const plain = plainName(
    name
      .replace(/^nvidia[ -]/i, '')
      .replace(/[-_ ](sxm\d?|pcie|nvl)$/i, '')
      .replace(/[-_ ]?\d+ ?g(i?b)?$/i, ''),
  );
  const alias = Object.hasOwn(aliases, plain) ? aliases[plain] : undefined;
  if (alias === undefined) return [name];
  if (typeof alias === 'string') return [alias];
  if (isList(alias)) return alias;
  if (form === '') return Object.values(alias);
  const model = alias[form];
  return model === undefined ? [] : [model];
}

const isList = (alias: object): alias is readonly string[] => Array.isArray(alias);

/** Whether it is certainly this model of the market. */
export function isModel(gpu: CatalogGpu, gpuName: string): boolean {
  const models = modelsOf(gpu);
  return models.length === 1 && plainName(models[0] ?? '') === plainName(gpuName);
}
