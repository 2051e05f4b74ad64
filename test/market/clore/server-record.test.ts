import { describe, expect, it } from 'vitest';
import { readServer } from '../../../src/market/clore/server-record.ts';

const free = { storageUsdPerGbMonth: 0, inetDownUsdPerGb: 0, inetUpUsdPerGb: 0 };

const server = (changes: object = {}) => ({
  id: 4711,
  owner: 12,
  mrl: 168,
  rented: false,
  allowed_coins: ['CLORE-Blockchain', 'USD-Blockchain'],
  reliability: 0.97,
  rating: { avg: 4.5, cnt: 12 },
  cuda_version: '12.4',
  gpu_array: ['NVIDIA GeForce RTX 4090', 'NVIDIA GeForce RTX 4090'],
  specs: {
    cpu: 'AMD EPYC 7302',
    cpus: '16/24',
    ram: 62.7,
    disk: 'SSD 500.0GB',
    gpu: '2x NVIDIA GeForce RTX 4090',
    gpuram: 24,
    net: { up: 100.5, down: 812, cc: 'de' },
  },
  price: {
    on_demand: { bitcoin: 0.0001, 'CLORE-Blockchain': 1_700, 'USD-Blockchain': 12 },
    spot: { 'USD-Blockchain': 6 },
    usd: { on_demand_usd: 12, on_demand_clore: 12.4, on_demand_btc: 11.8 },
  },
  ...changes,
});

const read = (changes: object = {}, type: 'on-demand' | 'bid' = 'on-demand') =>
  readServer(server(changes), type, free);
const withPrice = (price: unknown, type: 'on-demand' | 'bid' = 'on-demand') => read({ price }, type);

describe('reading a server of the second marketplace', () => {
  it('converts prices per day to prices per hour of the whole machine', () => {
    expect(read()).toMatchObject({
      kind: 'offer',
      isRented: false,
      offer: {
        offerId: 4711,
        machineId: 4711,
        hostId: 12,
        gpuName: 'RTX 4090',
        numGpus: 2,
        type: 'on-demand',
        baseUsdPerHour: 0.5,
        listedUsdPerHour: 0.5,
        minBidUsdPerHour: null,
        storageUsdPerGbMonth: 0,
        dlperf: null,
        verification: null,
        gpuIds: null,
        reliability: 0.97,
        gpuRamMb: 24_576,
        country: 'DE',
        inetDown: 812,
        inetUp: 100.5,
        diskSpaceGb: 500,
        cpuCores: 24,
        cpuRamMb: 64_205,
        cpuName: 'AMD EPYC 7302',
        maxDurationHours: 168,
        cudaMaxGood: 12.4,
      },
    });
  });

  it('reads the spot price as the lowest bid', () => {
    expect(read({}, 'bid')).toMatchObject({
      offer: { type: 'bid', baseUsdPerHour: 0.25, minBidUsdPerHour: 0.25 },
    });
  });

  it('distinguishes rented machines from free ones', () => {
    expect(read({ rented: true })).toMatchObject({ kind: 'offer', isRented: true });
  });

  it("uses the market's conversion if the host states no price in dollars", () => {
    expect(withPrice({ on_demand: { bitcoin: 1 }, usd: { on_demand_usd: 24 } })).toMatchObject({
      offer: { baseUsdPerHour: 1 },
    });
  });

  it.each([
    ['no price in dollars', { on_demand: { bitcoin: 0.001 }, usd: { on_demand_btc: 90 } }],
    ['no price in dollars', {}],
    ['no price in dollars', null],
    ['no price in dollars', 'free'],
    [
      'prices that contradict each other',
      { on_demand: { 'USD-Blockchain': 10 }, usd: { on_demand_usd: 11.6 } },
    ],
    [
      'prices that contradict each other',
      { on_demand: { 'USD-Blockchain': 10 }, usd: { on_demand_usd: 10, on_demand_clore: 8.4 } },
    ],
  ])('leaves out a server with %s', (reason, price) => {
    expect(withPrice(price)).toMatchObject({ kind: 'leftOut', offerId: 4711, reason });
  });

  it('keeps the contradictory amounts', () => {
    expect(withPrice({ on_demand: { 'USD-Blockchain': 10 }, usd: { on_demand_usd: 20 } })).toMatchObject({
      amounts: { 'on_demand.USD-Blockchain': 10, 'usd.on_demand_usd': 20 },
    });
  });

  it('accepts prices that differ by up to 15%', () => {
    expect(withPrice({ on_demand: { 'USD-Blockchain': 10 }, usd: { on_demand_usd: 11.5 } }).kind).toBe(
      'offer',
    );
  });

  it('leaves a server without a spot price out of bids only', () => {
    const price = { ...server().price, spot: {} };
    expect(withPrice(price).kind).toBe('offer');
    expect(withPrice(price, 'bid')).toMatchObject({ kind: 'leftOut', reason: 'no price in dollars' });
  });

  it.each([0, -3, Number.NaN, '12', true])('rejects a dollar price of %s', (amount) => {
    const reading = withPrice({ on_demand: { 'USD-Blockchain': amount } });
    expect(reading).toMatchObject({
      kind: 'rejected',
      reason: expect.stringContaining('price.on_demand.USD-Blockchain'),
    });
  });

  it('leaves out machines of several models and those that are partly rented', () => {
    expect(read({ gpu_array: ['RTX 4090', 'RTX 3090'] })).toMatchObject({
      kind: 'leftOut',
      reason: 'several GPU models in one machine',
    });
    expect(read({ partial_gpu_rental: { total_gpus: 2, available_gpus: 1 } })).toMatchObject({
      kind: 'leftOut',
      reason: 'partly rented',
    });
    expect(read({ partial_gpu_rental: { total_gpus: 2, available_gpus: 2 } }).kind).toBe('offer');
  });

  it('recognizes several spellings of one model', () => {
    expect(read({ gpu_array: ['NVIDIA GeForce RTX 4090', 'RTX 4090'] })).toMatchObject({
      offer: { gpuName: 'RTX 4090', numGpus: 2 },
    });
  });

  it('names an unknown model without its maker and brand', () => {
    expect(read({ gpu_array: ['NVIDIA GeForce RTX 9999 Max'] })).toMatchObject({
      offer: { gpuName: 'RTX 9999 Max' },
    });
  });

  it.each([
    ['record', null],
    ['record', []],
    ['id', server({ id: 'x' })],
    ['rented', server({ rented: 'no' })],
    ['gpu_array', server({ gpu_array: [] })],
    ['gpu_array', server({ gpu_array: [7] })],
    ['gpu_array', server({ gpu_array: ['NVIDIA'] })],
  ])('rejects a row without a readable %s', (field, row) => {
    expect(readServer(row, 'on-demand', free)).toMatchObject({
      kind: 'rejected',
      reason: expect.stringContaining(field),
    });
  });

  it('has null for attributes that state nothing', () => {
    const odd = { specs: { cpus: '16', ram: -1, disk: 'SSD', gpuram: 'x', net: { cc: 'Earth' } } };
    expect(read({ ...odd, reliability: 7, cuda_version: 'new', owner: -1 })).toMatchObject({
      offer: {
        hostId: null,
        reliability: null,
        cudaMaxGood: null,
        cpuCores: null,
        cpuRamMb: null,
        cpuName: null,
        diskSpaceGb: null,
        gpuRamMb: null,
        country: null,
        inetDown: null,
      },
    });
  });
});
