import { expect, it } from 'vitest';
import { knownGpuName, modelsNamed, plainGpuName } from '../../src/core/gpu-names.ts';
import { gpuModels } from '../../src/simulator/model/gpu-models.ts';

it.each([
  ['NVIDIA GeForce RTX 4090', 'RTX 4090'],
  ['NVIDIA GeForce RTX 4080 SUPER', 'RTX 4080S'],
  ['NVIDIA GeForce RTX 4070 Ti SUPER', 'RTX 4070S Ti'],
  ['NVIDIA A100-SXM4-80GB', 'A100 SXM4'],
  ['NVIDIA A100 80GB PCIe', 'A100 PCIE'],
  ['NVIDIA H100 80GB HBM3', 'H100 SXM'],
  ['NVIDIA RTX 6000 Ada Generation', 'RTX 6000Ada'],
  ['NVIDIA GeForce RTX 3060 Laptop GPU', 'RTX 3060 laptop'],
  ['Tesla V100-SXM2-16GB', 'Tesla V100'],
  ['rtx_a6000', 'RTX A6000'],
])('knows %s as %s', (name, model) => {
  expect(knownGpuName(name)).toBe(model);
});

it.each(['RTX 6000', 'A100', 'H100', 'RTX PRO 6000', 'RTX 3080 Laptop GPU', 'Radeon VII', ''])(
  'does not guess what %j means',
  (name) => {
    expect(knownGpuName(name)).toBeNull();
  },
);

it.each([
  ['NVIDIA A100-80GB', 'SXM', ['A100 SXM4']],
  ['A100', null, ['A100 SXM4', 'A100 PCIE']],
  ['A100', 'NVL', []],
  ['RTX 6000', null, ['Q RTX 6000', 'RTX 6000Ada']],
  ['V100-32GB', null, ['Tesla V100']],
  ['RTX 9090', null, null],
] as const)('knows which models %s of the form %s may be', (name, form, models) => {
  expect(modelsNamed(name, form)).toEqual(models);
});

it('knows every model of the simulated market by its own name', () => {
  expect(gpuModels.map(({ name }) => knownGpuName(name))).toEqual(gpuModels.map(({ name }) => name));
});

it('keeps of an unknown name what is not the maker or the brand', () => {
  expect(plainGpuName('  NVIDIA  GeForce RTX 9090 ')).toBe('RTX 9090');
});
