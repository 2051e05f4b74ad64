/** Places of machines, as the marketplace writes them; 8 % only have the country, with the comma kept. */
export const places: readonly (readonly [place: string, weight: number])[] = [
  [', US', 8],
  ['California, US', 6],
  ['Texas, US', 4],
  ['Washington, US', 3],
  ['Minnesota, US', 3],
  ['Maryland, US', 2],
  ['Florida, US', 2],
  ['Virginia, US', 2],
  ['Utah, US', 2],
  ['New York, US', 1],
  ['Oregon, US', 1],
  ['Quebec, CA', 4],
  ['British Columbia, CA', 3],
  ['Ontario, CA', 2],
  ['Czechia, CZ', 6],
  ['South Korea, KR', 4],
  ['Japan, JP', 4],
  ['United Kingdom, GB', 4],
  ['Taiwan, TW', 3],
  ['Germany, DE', 3],
  ['Norway, NO', 2],
  ['Vietnam, VN', 2],
  ['Sichuan, CN', 2],
  ['Hong Kong, HK', 2],
  ['Romania, RO', 2],
  ['Finland, FI', 2],
  ['Australia, AU', 1],
  ['Bulgaria, BG', 1],
  ['India, IN', 1],
  ['Spain, ES', 1],
  ['Iceland, IS', 1],
  ['Sweden, SE', 2],
  ['Thailand, TH', 1],
  ['France, FR', 1],
  ['Hungary, HU', 1],
  ['Denmark, DK', 1],
  ['The Netherlands, NL', 1],
  ['Poland, PL', 1],
  ['Estonia, EE', 1],
  ['Ukraine, UA', 1],
  ['Argentina, AR', 1],
  ['Türkiye, TR', 1],
];

/** Processor name, cores and base clock in GHz. */
export const processors: readonly (readonly [name: string, cores: number, ghz: number])[] = [
  ['AMD EPYC 7282 16-Core Processor', 32, 2.8],
  ['AMD EPYC 7313 16-Core Processor', 32, 3],
  ['AMD EPYC 7543 32-Core Processor', 64, 2.8],
  ['AMD EPYC 7742 64-Core Processor', 128, 2.25],
  ['AMD EPYC 9354 32-Core Processor', 64, 3.25],
  ['AMD EPYC 9654 96-Core Processor', 192, 2.4],
  ['AMD Ryzen 9 7950X 16-Core Processor', 32, 4.5],
  ['AMD Ryzen Threadripper PRO 5975WX 32-Cores', 64, 3.6],
  ['Core™ i9-13900K', 32, 3],
  ['Core™ i7-12700', 20, 2.1],
  ['Xeon® E5-2690 v4', 28, 2.6],
  ['Xeon® Gold 6130 ', 64, 2.1],
  ['Xeon® Gold 6248 ', 80, 2.5],
  ['Xeon® Platinum 8480+', 224, 2],
];

export const mainboards = [
  'ROME2D32GM-2T',
  'X11DGO-T',
  'YZMB-00834-101',
  'H12SSL-NT',
  'H12DSG-O-',
  'X13DEG-OAD',
  'MZ52-G41-00',
  'ROMED8-2T',
  'B650 LiveMixer',
  'Z790 AORUS ELITE AX',
  'PRO WS WRX80E-SAGE SE WIFI',
  '0M0D8K',
];

export const disks = [
  'SAMSUNG MZQL23T8HCLS-00A07',
  'nvme',
  '',
  'INTEL SSDPE2KX080T8O',
  'MTFDDAK960TDT',
  'Samsung SSD 990 PRO 4TB',
  'KINGSTON SNV2S2000G',
  'WD_BLACK SN850X 2000GB',
];

/** Driver version and the newest CUDA it supports; some versions have only two parts. */
export const drivers: readonly (readonly [
  driver: readonly [version: string, cuda: number],
  weight: number,
])[] = [
  [['595.71.05', 13.2], 34],
  [['580.159.03', 13], 20],
  [['580.95.05', 13], 10],
  [['590.48.01', 13.1], 10],
  [['580.126.09', 13], 9],
  [['580.142', 13], 6],
  [['595.84', 13.2], 5],
  [['610.43.02', 13.3], 4],
  [['570.211.01', 12.8], 4],
  [['570.181', 12.8], 2],
  [['565.57.01', 12.7], 3],
  [['560.35.03', 12.6], 3],
  [['550.144.03', 12.4], 2],
  [['535.288.01', 12.2], 2],
];

export const systems: readonly (readonly [version: string, weight: number])[] = [
  ['22.04', 761],
  ['24.04', 180],
  ['20.04', 51],
  ['12', 4],
];

/** $/GB/month. */
export const storagePrices: readonly (readonly [usdPerGbMonth: number, weight: number])[] = [
  [0.2, 42],
  [0.13333333333333333, 20],
  [0.1, 8],
  [0.26666666666666666, 7],
  [0.3333333333333333, 6],
  [0.06666666666666667, 5],
  [0.4, 4],
  [0.6, 3],
  [0.02, 2],
  [1, 1.5],
  [0.002, 1.5],
];

/** $/TB, in or out; the marketplace lists GB of 1/1024 TB. */
export const bandwidthPrices: readonly (readonly [usdPerTb: number, weight: number])[] = [
  [0, 12],
  [0.13333333333333333, 18],
  [1.3333333333333333, 20],
  [2.6666666666666665, 18],
  [4, 14],
  [6.666666666666667, 8],
  [13.333333333333334, 6],
  [26.666666666666668, 3],
  [40.96, 1],
];
