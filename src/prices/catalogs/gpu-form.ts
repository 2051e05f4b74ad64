export const gpuForms = ['SXM', 'PCIE', 'NVL'] as const;
/** How a GPU is built in, where one model comes in several. */
export type GpuForm = (typeof gpuForms)[number];

const patterns: Record<GpuForm, RegExp> = { SXM: /sxm/i, PCIE: /pcie/i, NVL: /nvl(?!ink)/i };

/** Instance types whose GPUs their sellers document, where the name of the GPU leaves the form open. */
const families: readonly (readonly [RegExp, GpuForm])[] = [
  [/^p4de?\./, 'SXM'],
  [/^p5(en?)?\./, 'SXM'],
  [/^Standard_ND.*_A100_v4$/, 'SXM'],
  [/^Standard_ND96is?r_H[12]00_v5$/, 'SXM'],
  [/^Standard_NC.*_A100_v4$/, 'PCIE'],
  [/^Standard_NC.*_H100_v5$/, 'NVL'],
];

/** The form that the texts of a row name; null: none of them does, or they name two. */
export function gpuFormOf(instanceType: string, ...names: readonly string[]): GpuForm | null {
  const said = gpuForms.filter((form) => [instanceType, ...names].some((text) => patterns[form].test(text)));
  if (said.length > 0) return said.length === 1 ? (said[0] ?? null) : null;
  return families.find(([pattern]) => pattern.test(instanceType))?.[1] ?? null;
}
