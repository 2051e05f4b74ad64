/** Names of supply counts, the same everywhere. */
export const supplyWords = {
  gpus: { label: 'GPUs listed', title: 'GPUs of all offers; overlapping offers of one machine each count' },
  physicalGpus: {
    label: 'Physical GPUs',
    title:
      'Each GPU counted once, however many offers include it; ≥ where a machine does not identify its GPUs',
  },
} as const;
