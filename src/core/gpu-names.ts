/**
 * Known GPU models under Offerbook's name, each with the other names that drivers, markets and catalogs use. One line
 * per model; spelling, spaces, dashes and case do not matter. A name that fits several models (`RTX 6000`, `A100`) is
 * not listed as an alias but in `sharedNames`.
 */
const namesOfModels: Readonly<Record<string, readonly string[]>> = {
  A10g: ['A10G 24GB'],
  'A100 PCIE': ['A100 PCIe 80GB', 'A100 80GB PCIe', 'A100 PCIe 40GB', 'A100 40GB PCIe'],
  'A100 SXM4': [
    'A100 SXM',
    'A100 SXM4 80GB',
    'A100 SXM4 40GB',
    'A100 SXM 80GB',
    'A100 SXM 40GB',
    'A100 80GB SXM',
  ],
  A40: [],
  'A800 PCIE': ['A800 80GB PCIe', 'A800 PCIe 80GB'],
  B200: ['B200 SXM'],
  B300: ['B300 SXM'],
  'CMP 170HX': [],
  'GTX 1050 Ti': [],
  'GTX 1060': [],
  'GTX 1070': [],
  'GTX 1070 Ti': [],
  'GTX 1080': [],
  'GTX 1080 Ti': [],
  'GTX 1650': [],
  'GTX 1650 S': ['GTX 1650 SUPER'],
  'GTX 1660': [],
  'GTX 1660 S': ['GTX 1660 SUPER'],
  'GTX 1660 Ti': [],
  'GTX TITAN X': [],
  'H100 NVL': ['H100 NVL 94GB'],
  'H100 PCIE': ['H100 PCIe 80GB', 'H100 80GB PCIe'],
  'H100 SXM': ['H100 SXM5', 'H100 MEGA', 'H100 80GB HBM3', 'H100 SXM5 80GB', 'H100 SXM 80GB'],
  H200: ['H200 SXM', 'H200 SXM5', 'H200 141GB HBM3e'],
  'H200 NVL': ['H200 NVL 141GB'],
  L4: [],
  L40: [],
  L40S: [],
  'Q RTX 5000': ['Quadro RTX 5000'],
  'Q RTX 6000': ['Quadro RTX 6000'],
  'Q RTX 8000': ['Quadro RTX 8000', 'RTX 8000'],
  'Quadro GV100': [],
  'Quadro P4000': ['P4000'],
  'Quadro P5000': ['P5000'],
  'RTX 2060': [],
  'RTX 2060S': ['RTX 2060 SUPER'],
  'RTX 2070': [],
  'RTX 2070S': ['RTX 2070 SUPER'],
  'RTX 2080S': ['RTX 2080 SUPER'],
  'RTX 2080 Ti': [],
  'RTX 3050': [],
  'RTX 3060': ['RTX 3060 12GB'],
  'RTX 3060 laptop': ['RTX 3060 Laptop GPU'],
  'RTX 3060 Ti': [],
  'RTX 3070': [],
  'RTX 3070 laptop': ['RTX 3070 Laptop GPU'],
  'RTX 3070 Ti': [],
  'RTX 3080': ['RTX 3080 10GB'],
  'RTX 3080 Ti': [],
  'RTX 3090': [],
  'RTX 3090 Ti': [],
  'RTX 4000Ada': ['RTX 4000 Ada Generation', 'RTX 4000 Ada'],
  'RTX 4060': [],
  'RTX 4060 laptop': ['RTX 4060 Laptop GPU'],
  'RTX 4060 Ti': ['RTX 4060 Ti 16GB'],
  'RTX 4070': [],
  'RTX 4070S': ['RTX 4070 SUPER'],
  'RTX 4070S Ti': ['RTX 4070 Ti SUPER'],
  'RTX 4070 Ti': [],
  'RTX 4080': [],
  'RTX 4080S': ['RTX 4080 SUPER'],
  'RTX 4090': [],
  'RTX 4090D': ['RTX 4090 D'],
  'RTX 5000Ada': ['RTX 5000 Ada Generation', 'RTX 5000 Ada'],
  'RTX 5060': [],
  'RTX 5060 laptop': ['RTX 5060 Laptop GPU'],
  'RTX 5060 Ti': ['RTX 5060 Ti 16GB'],
  'RTX 5070': [],
  'RTX 5070 Ti': [],
  'RTX 5080': [],
  'RTX 5090': [],
  'RTX 5880Ada': ['RTX 5880 Ada Generation', 'RTX 5880 Ada'],
  'RTX 6000Ada': ['RTX 6000 Ada Generation', 'RTX 6000 Ada'],
  'RTX A2000': ['A2000', 'RTX A2000 12GB'],
  'RTX A4000': ['A4000'],
  'RTX A4500': ['A4500'],
  'RTX A5000': ['A5000'],
  'RTX A6000': ['A6000'],
  'RTX PRO 2000': ['RTX PRO 2000 Blackwell'],
  'RTX PRO 4000': ['RTX PRO 4000 Blackwell'],
  'RTX PRO 4500': ['RTX PRO 4500 Blackwell'],
  'RTX PRO 5000': ['RTX PRO 5000 Blackwell'],
  'RTX PRO 6000 S': ['RTX PRO 6000 Blackwell Server Edition', 'RTX PRO 6000 Server Edition'],
  'RTX PRO 6000 WS': ['RTX PRO 6000 Blackwell Workstation Edition', 'RTX PRO 6000 Workstation Edition'],
  'Tesla K80': ['K80'],
  'Tesla M60': ['M60'],
  'Tesla P4': ['P4'],
  'Tesla P40': ['P40'],
  'Tesla P100': ['P100', 'Tesla P100 PCIe 16GB', 'Tesla P100 PCIe 12GB', 'Tesla P100 SXM2 16GB'],
  'Tesla T4': ['T4'],
  'Tesla V100': [
    'V100',
    'V100 32GB',
    'Tesla V100 PCIe 16GB',
    'Tesla V100 PCIe 32GB',
    'Tesla V100 SXM2 16GB',
    'Tesla V100 SXM2 32GB',
  ],
  'Titan RTX': [],
  'Titan V': [],
  'Titan Xp': [],
};

/** The form factor of a GPU, for models with several. */
export const gpuForms = ['SXM', 'PCIE', 'NVL'] as const;
export type GpuForm = (typeof gpuForms)[number];

/** Names that leave it open which model is meant: one for each form, or several that cannot be told apart. */
const sharedNames: Readonly<Record<string, Partial<Record<GpuForm, string>> | readonly string[]>> = {
  A100: { SXM: 'A100 SXM4', PCIE: 'A100 PCIE' },
  A800: { PCIE: 'A800 PCIE' },
  H100: { SXM: 'H100 SXM', PCIE: 'H100 PCIE', NVL: 'H100 NVL' },
  H200: { SXM: 'H200', NVL: 'H200 NVL' },
  'RTX 5000': ['Q RTX 5000', 'RTX 5000Ada'],
  'RTX 6000': ['Q RTX 6000', 'RTX 6000Ada'],
  'RTX PRO 6000': ['RTX PRO 6000 WS', 'RTX PRO 6000 S'],
};

const makers = /\b(?:nvidia|geforce|corporation)\b/gi;
const keyOf = (name: string): string =>
  name
    .replace(makers, ' ')
    .replaceAll(/[\s_-]+/g, '')
    .toLowerCase();

const sharedByKey = new Map(Object.entries(sharedNames).map(([name, models]) => [keyOf(name), models]));

const modelOfKey = new Map(
  Object.entries(namesOfModels).flatMap(([model, others]) =>
    [model, ...others].map((name) => [keyOf(name), model] as const),
  ),
);

/**
 * Returns the model that a seller's GPU name means, under Offerbook's name (`NVIDIA GeForce RTX 4080 SUPER` is `RTX
 * 4080S`); null: not in the table. Source: docs/meaning.md#gpu-names.
 */
export const knownGpuName = (name: string): string | null => modelOfKey.get(keyOf(name)) ?? null;

/**
 * Returns the models that a seller's name with a form stated apart may mean (`A100` and `SXM`; null: not stated): one,
 * several, or none; null: not in the table. Memory and form at the end of the name are ignored.
 */
export function modelsNamed(name: string, form: GpuForm | null): readonly string[] | null {
  const short = name.replace(/[-_ ](sxm\d?|pcie|nvl)$/i, '').replace(/[-_ ]?\d+ ?g(i?b)?$/i, '');
  const shared = sharedByKey.get(keyOf(short));
  if (shared === undefined) {
    const known = knownGpuName(name) ?? knownGpuName(short);
    return known === null ? null : [known];
  }
  if (isList(shared)) return shared;
  if (form === null) return Object.values(shared);
  const model = shared[form];
  return model === undefined ? [] : [model];
}

const isList = (models: object): models is readonly string[] => Array.isArray(models);

/** Returns a seller's GPU name without maker and brand, the stored name of an unknown model. */
export const plainGpuName = (name: string): string =>
  name.replace(makers, ' ').replaceAll(/\s+/g, ' ').trim();
