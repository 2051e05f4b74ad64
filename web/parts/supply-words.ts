/** What the counts of supply are called wherever they stand: one word, one number. */
export const supplyWords = {
  gpus: { label: 'GPUs listed', title: 'GPUs of all offers; overlapping chunks of a machine count each' },
  physicalGpus: {
    label: 'physical GPUs',
    title: 'Each GPU once, in however many offers it is; ≥ where a machine does not say which are the same',
  },
} as const;
