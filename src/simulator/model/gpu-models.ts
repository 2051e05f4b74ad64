/** Properties of one GPU model in the market, per GPU. */
export interface GpuModel {
  /** Its index in the list: the input of its random numbers. */
  index: number;
  /** As the marketplace writes it, with spaces. */
  name: string;
  /** Relative share of the machines. */
  weight: number;
  /** Usual price without storage. */
  usdPerHour: number;
  ramMb: number;
  tflops: number;
  dlperf: number;
  memoryGbPerS: number;
  watts: number;
  /** Compute capability times 100. */
  computeCap: number;
  pciGen: number;
  /** 0 without NVLink. */
  nvlinkGbPerS: number;
  /** Maximum number per machine. */
  maxGpus: number;
}

type Line = readonly [
  name: string,
  weight: number,
  usdPerHour: number,
  ramMb: number,
  tflops: number,
  dlperf: number,
  memoryGbPerS: number,
  watts: number,
  computeCap: number,
  pciGen: number,
  nvlinkGbPerS: number,
  maxGpus: number,
];

const lines: readonly Line[] = [
  ['RTX 4090', 90, 0.39, 24564, 81.4, 95.5, 879, 450, 890, 4, 0, 16],
  ['RTX 5090', 84, 0.51, 32607, 107.6, 143, 1450, 575, 1200, 5, 0, 8],
  ['RTX 3090', 68, 0.2, 24576, 35.3, 46, 792, 350, 860, 4, 56, 12],
  ['A100 SXM4', 46, 0.92, 81920, 15.6, 125, 1700, 400, 800, 4, 300, 8],
  ['RTX 5060 Ti', 32, 0.11, 16311, 22.8, 38, 390, 180, 1200, 5, 0, 8],
  ['RTX PRO 6000 WS', 30, 1.15, 97887, 119, 175, 1500, 600, 1200, 5, 0, 8],
  ['RTX PRO 6000 S', 24, 1.45, 97887, 93.6, 168, 1480, 600, 1200, 5, 0, 8],
  ['RTX 5080', 26, 0.19, 16303, 53.2, 84, 830, 360, 1200, 5, 0, 8],
  ['L40S', 24, 0.7, 46068, 73.3, 93.5, 625, 350, 890, 4, 0, 8],
  ['RTX 4080S', 22, 0.2, 16376, 50.9, 62, 640, 320, 890, 4, 0, 8],
  ['A100 PCIE', 22, 0.78, 81920, 15.6, 91, 1320, 300, 800, 4, 0, 8],
  ['H100 SXM', 22, 2.3, 81559, 53.5, 276, 2870, 700, 900, 5, 478, 8],
  ['B200', 14, 3.6, 183359, 59.6, 610, 6600, 1000, 1000, 5, 900, 8],
  ['B300', 5, 3.9, 275040, 66.6, 720, 7000, 1100, 1030, 5, 900, 8],
  ['H200', 14, 3.1, 143771, 53.5, 451, 4040, 700, 900, 5, 478, 8],
  ['H200 NVL', 14, 2.75, 143771, 48.3, 446, 3860, 600, 900, 5, 478, 8],
  ['H100 NVL', 9, 2.1, 95830, 48.3, 255, 3300, 400, 900, 5, 478, 8],
  ['H100 PCIE', 6, 1.8, 81559, 41, 205, 1720, 350, 900, 5, 0, 8],
  ['RTX 3080', 20, 0.11, 10240, 29.2, 35, 640, 320, 860, 4, 0, 8],
  ['RTX 3060', 20, 0.066, 12288, 12.1, 17.5, 316, 170, 860, 4, 0, 12],
  ['Tesla V100', 20, 0.14, 32768, 12.5, 25.7, 752, 300, 700, 3, 154, 8],
  ['RTX PRO 4000', 16, 0.25, 24467, 44.3, 66, 590, 145, 1200, 5, 0, 8],
  ['RTX PRO 5000', 17, 0.62, 48935, 69.6, 105, 1180, 300, 1200, 5, 0, 8],
  ['RTX A6000', 16, 0.4, 46068, 36.1, 44, 640, 300, 860, 4, 56, 8],
  ['RTX 4080', 16, 0.18, 16376, 48.3, 59, 620, 320, 890, 4, 0, 8],
  ['RTX 4070S Ti', 15, 0.17, 16376, 42, 53, 580, 285, 890, 4, 0, 8],
  ['RTX 3070', 15, 0.085, 8192, 19.8, 25, 400, 220, 860, 4, 0, 8],
  ['RTX 6000Ada', 15, 0.62, 49140, 81.4, 92, 850, 300, 890, 4, 0, 8],
  ['RTX 2080 Ti', 13, 0.09, 11264, 14.6, 23, 540, 250, 750, 3, 50, 8],
  ['RTX 4060', 11, 0.067, 8188, 15.3, 21, 240, 115, 890, 4, 0, 4],
  ['RTX 5070', 13, 0.105, 12227, 30.4, 52, 590, 250, 1200, 5, 0, 8],
  ['RTX 5070 Ti', 13, 0.14, 16303, 44.3, 70, 790, 300, 1200, 5, 0, 8],
  ['RTX 4070S', 11, 0.092, 12282, 35.6, 43, 440, 220, 890, 4, 0, 8],
  ['RTX 4070 Ti', 9, 0.105, 12282, 38.2, 45, 450, 285, 890, 4, 0, 8],
  ['RTX 4070', 6, 0.09, 12282, 29.3, 38, 440, 200, 890, 4, 0, 8],
  ['RTX 4060 Ti', 8, 0.088, 16380, 21.6, 27, 260, 160, 890, 4, 0, 8],
  ['GTX 1080 Ti', 10, 0.066, 11264, 11, 13.5, 410, 250, 610, 3, 0, 8],
  ['GTX 1080', 6, 0.05, 8192, 7.8, 9.5, 260, 180, 610, 3, 0, 8],
  ['RTX 3080 Ti', 8, 0.13, 12288, 34.4, 41, 790, 350, 860, 4, 0, 8],
  ['RTX A4000', 8, 0.12, 16376, 20.6, 27, 390, 140, 860, 4, 0, 8],
  ['RTX A5000', 6, 0.24, 24564, 27.5, 38, 650, 230, 860, 4, 56, 8],
  ['L4', 8, 0.29, 23034, 24.2, 31, 260, 72, 890, 4, 0, 8],
  ['L40', 6, 0.5, 46068, 72.4, 86, 630, 300, 890, 4, 0, 8],
  ['A40', 5, 0.38, 46068, 29.9, 40, 600, 300, 860, 4, 0, 8],
  ['RTX 5880Ada', 5, 0.47, 49140, 69.9, 80, 830, 285, 890, 4, 0, 8],
  ['RTX 5000Ada', 4, 0.42, 32760, 63.6, 68, 500, 250, 890, 4, 0, 8],
  ['A800 PCIE', 4, 0.66, 81920, 15.6, 89, 1490, 300, 800, 4, 0, 8],
  ['Tesla P100', 5, 0.07, 16384, 7.6, 10.5, 540, 250, 600, 3, 0, 8],
  ['Tesla T4', 4, 0.11, 15360, 6.5, 13, 260, 70, 750, 3, 0, 8],
  ['Q RTX 8000', 4, 0.25, 49152, 11.9, 26, 560, 260, 750, 3, 50, 8],
  ['Titan RTX', 3, 0.14, 24576, 15.5, 27, 560, 280, 750, 3, 50, 4],
  ['RTX 3060 laptop', 4, 0.045, 12288, 12.9, 15, 280, 115, 860, 4, 0, 2],
];

/** The GPU models of the simulated market: prices, sizes and speeds close to what was publicly listed in 2026. */
export const gpuModels: readonly GpuModel[] = lines.map((line, index) => {
  const [name, weight, usdPerHour, ramMb, tflops, dlperf, memoryGbPerS, watts, computeCap, pciGen] = line;
  const [nvlinkGbPerS, maxGpus] = [line[10], line[11]];
  return {
    index,
    name,
    weight,
    usdPerHour,
    ramMb,
    tflops,
    dlperf,
    memoryGbPerS,
    watts,
    computeCap,
    pciGen,
    nvlinkGbPerS,
    maxGpus,
  };
});
