import { describe, expect, it } from 'vitest';
import { isModel, modelsOf } from '../../../src/prices/catalogs/catalog-gpu.ts';
import { readCatalog } from '../../../src/prices/catalogs/read-catalog.ts';
import { card, type MadeRow, makeCatalog } from './made-catalog.ts';

const read = (...rows: MadeRow[]) => readCatalog('vms.csv', makeCatalog(rows));
const one = { name: 'RTX4090', form: '', region: 'here', numGpus: 1 };

describe('readCatalog', () => {
  it('keeps the cheapest machine of each GPU, count, region and type, as exact text', () => {
    const { prices, rows } = read(
      card({ Price: '0.70', SpotPrice: '0.300' }),
      card({ Price: '0.69000', SpotPrice: '', AvailabilityZone: 'b' }),
      card({ Price: '5e-2', Region: 'there' }),
      card({ Price: '1.10', AcceleratorCount: 2 }),
    );
    expect(rows).toBe(4);
    expect(prices).toHaveLength(4);
    expect(prices).toEqual(
      expect.arrayContaining([
        { ...one, type: 'on-demand', usdPerHour: '0.69' },
        { ...one, type: 'bid', usdPerHour: '0.3' },
        { ...one, region: 'there', type: 'on-demand', usdPerHour: '0.05' },
        { ...one, numGpus: 2, type: 'on-demand', usdPerHour: '1.1' },
      ]),
    );
  });

  it('refuses more prices than can be kept at once, and says what to do', () => {
    const regions = Array.from({ length: 100_001 }, (_, n) => `RTX4090,1,0.5,r${n}`).join('\n');
    expect(() => readCatalog('vms.csv', `AcceleratorName,AcceleratorCount,Price,Region\n${regions}`)).toThrow(
      'vms.csv is not a catalog: it has more than 100,000 prices; keep the rows',
    );
  });

  it('counts rows that cannot be compared, by reason', () => {
    const { prices, leftOut } = read(
      card(),
      card({ AcceleratorName: '', AcceleratorCount: '' }),
      card({ AcceleratorName: '', AcceleratorCount: 0 }),
      card({ AcceleratorCount: '0.125' }),
      card({ InstanceType: '' }),
      card({ Price: '' }),
      card({ Price: '0.00', SpotPrice: '0.0' }),
    );
    expect(prices).toHaveLength(1);
    expect(leftOut).toEqual({
      'no GPU': 2,
      'a part of a GPU': 1,
      'the price of a GPU without its machine': 1,
      'no price': 2,
    });
    const text = 'InstanceType,AcceleratorName,AcceleratorCount,Price,Currency\na,L4,1,2,EUR\na,L4,1,3,usd\n';
    expect(readCatalog('vms.csv', text)).toMatchObject({
      prices: [{ usdPerHour: '3' }],
      leftOut: { 'prices in EUR': 1 },
    });
  });

  it('accepts a spot price without another price, and quoted cells with commas, quotes and both kinds of line ends', () => {
    const gpuInfo = "{'Gpus': [{'Name': 'A100 PCIe', 'Count': 1}], 'TotalGpuMemoryInMiB': 80}";
    const text = makeCatalog([
      card({ AcceleratorName: 'A100-80GB', GpuInfo: gpuInfo, Price: '', SpotPrice: 1, Region: 'Oslo, "NO"' }),
    ]);
    const expected = [
      { ...one, name: 'A100-80GB', form: 'PCIE', region: 'Oslo, "NO"', type: 'bid', usdPerHour: '1' },
    ];
    expect(readCatalog('vms.csv', text).prices).toEqual(expected);
    expect(readCatalog('vms.csv', `\uFEFF${text.replaceAll('\n', '\r\n')}`).prices).toEqual(expected);
    const json = text.replaceAll("'", '""');
    expect(readCatalog('vms.csv', json).prices).toEqual(expected);
  });

  it.each([
    ['', 'it is empty'],
    ['<html>', 'its first line lacks the column AcceleratorName, AcceleratorCount, Price'],
    [makeCatalog([card({ Price: 'cheap' })]), 'line 2: Price "cheap" is not a number'],
    [makeCatalog([card(), card({ SpotPrice: '-1' })]), 'line 3: SpotPrice "-1" is not a number'],
    [makeCatalog([card({ AcceleratorCount: 'two' })]), 'line 2: AcceleratorCount "two" is not a number'],
    [makeCatalog([card()]).concat('a,b\n'), 'line 3 has 2 fields, its head 8'],
    [makeCatalog([card()]).concat('"a'), 'a quote in it is never closed'],
    [makeCatalog([card({ AcceleratorName: '' })]), 'it has no price of a machine with GPUs'],
  ])('refuses %j with the reason', (text, reason) => {
    expect(() => readCatalog('vms.csv', text)).toThrow(`vms.csv is not a catalog: ${reason}.`);
  });

  it('has the same hash for the same prices in any order, and another one for other prices', () => {
    const [a, b] = [card(), card({ Region: 'there' })];
    expect(read(a, b).contentHash).toBe(read(b, a, b).contentHash);
    expect(read(a, b).contentHash).not.toBe(read(a).contentHash);
  });
});

describe('names of GPUs', () => {
  const formOf = (row: MadeRow) => read(card(row)).prices[0]?.form;

  it('have a form factor wherever a row states one, and none if it states nothing or two', () => {
    expect(formOf({ AcceleratorName: 'H100-SXM' })).toBe('SXM');
    expect(formOf({ AcceleratorName: 'H100', InstanceType: 'gpu_8x_h100_sxm5x8' })).toBe('SXM');
    expect(formOf({ AcceleratorName: 'H100', InstanceType: '2x-H100_NVL-32' })).toBe('NVL');
    expect(formOf({ AcceleratorName: 'H100-NVLINK' })).toBe('');
    expect(formOf({ AcceleratorName: 'A100', InstanceType: 'p4d.24xlarge' })).toBe('SXM');
    expect(formOf({ AcceleratorName: 'A100', InstanceType: 'Standard_NC24ads_A100_v4' })).toBe('PCIE');
    expect(formOf({ AcceleratorName: 'A100', InstanceType: 'Standard_ND96asr_A100_v4' })).toBe('SXM');
    expect(formOf({ AcceleratorName: 'A100' })).toBe('');
    expect(formOf({ AcceleratorName: 'A100-PCIE', InstanceType: 'a100-sxm' })).toBe('');
  });

  it.each([
    ['RTX4090', '', ['RTX 4090']],
    ['RTX6000-Ada', '', ['RTX 6000Ada']],
    ['GTX1660S', '', ['GTX 1660 S']],
    ['A10G', '', ['A10g']],
    ['V100-32GB', '', ['Tesla V100']],
    ['A6000', '', ['RTX A6000']],
    ['K80', '', ['Tesla K80']],
    ['H100-MEGA-80GB', 'SXM', ['H100 SXM']],
    ['A100-80GB', 'SXM', ['A100 SXM4']],
    ['A100-80GB-SXM', 'SXM', ['A100 SXM4']],
    ['A100', 'PCIE', ['A100 PCIE']],
    ['H200-SXM', 'SXM', ['H200']],
    ['H200', 'NVL', ['H200 NVL']],
    ['RTXPRO6000S', '', ['RTX PRO 6000 S']],
  ] as const)('%s %s is one model', (name, form, models) => {
    const [model = ''] = models;
    expect(isModel({ name, form }, model)).toBe(true);
    expect(isModel({ name, form }, 'L40S')).toBe(false);
  });

  it.each([
    ['A100-80GB', '', ['A100 SXM4', 'A100 PCIE']],
    ['H100', '', ['H100 SXM', 'H100 PCIE', 'H100 NVL']],
    ['H200', '', ['H200', 'H200 NVL']],
    ['RTX6000', '', ['Q RTX 6000', 'RTX 6000Ada']],
    ['RTX PRO 6000 96GB', '', ['RTX PRO 6000 WS', 'RTX PRO 6000 S']],
    ['A100', 'NVL', []],
  ] as const)('%s %s cannot be identified and is never guessed', (name, form, models) => {
    expect(modelsOf({ name, form })).toEqual(models);
    for (const model of models) expect(isModel({ name, form }, model)).toBe(false);
  });
});
