import { type GpuForm, gpuForms } from '../../core/gpu-names.ts';

const patterns: Record<GpuForm, RegExp> = { SXM: /sxm/i, PCIE: /pcie/i, NVL: /nvl(?!ink)/i };

/** Instance types whose sellers document the GPU's form if its name leaves it open. */
const families: readonly (readonly [RegExp, GpuForm])[] = [
  [/^p4de?\./, 'SXM'],
  [/^p5(en?)?\./, 'SXM'],
  [/^Standard_ND.*_A100_v4$/, 'SXM'],
  [/^Standard_ND96is?r_H[12]00_v5$/, 'SXM'],
  [/^Standard_NC.*_A100_v4$/, 'PCIE'],
  [/^Standard_NC.*_H100_v5$/, 'NVL'],
];

/** Returns the form named in a row's texts; null: none, or two of them. */
export function gpuFormOf(instanceType: string, ...names: readonly string[]): GpuForm | null {
  const said = gpuForms.filter((form) => [instanceType, ...names].some((text) => patterns[form].test(text)));
  if (said.length > 0) return said.length === 1 ? (said[0] ?? null) : null;
  return families.find(([pattern]) => pattern.test(instanceType))?.[1] ?? null;
}
