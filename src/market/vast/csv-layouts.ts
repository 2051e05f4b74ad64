import type { CsvLayout } from '../offer-reading.ts';

/**
 * Layouts of known scrapers. The files of vastai-scraper have the model in no column, and the pricing type in their
 * name.
 */
export const csvLayouts: readonly CsvLayout[] = [
  {
    name: 'vastai-scraper',
    time: 'timestamp',
    columns: {},
    typeOfFile: (name) => {
      const [, kind] = /-(ask|bid)s\.csv(?:\.gz)?$/.exec(name) ?? [];
      return kind === undefined ? null : kind === 'ask' ? 'on-demand' : 'bid';
    },
    header: [
      ...[
        'timestamp',
        'id',
        'host_id',
        'machine_id',
        'dph_total',
        'min_bid',
        'num_gpus',
        'gpu_ram',
        'cpu_cores',
      ],
      ...[
        'cpu_ram',
        'cpu_ghz',
        'disk_space',
        'disk_bw',
        'inet_up',
        'inet_down',
        'geolocation',
        'reliability2',
      ],
      ...['pci_gen', 'pcie_bw'],
    ],
  },
];
