const listedGb = 8;
const hoursPerMonth = 720;

/** Returns $/GPU/hour with this storage, by the documented formula; NaN: the price of storage is unknown. */
export const plainPrice = (
  offer: { baseUsdPerHour: number; storageUsdPerGbMonth: number | null; numGpus: number },
  storageGb = listedGb,
): number =>
  offer.storageUsdPerGbMonth === null
    ? Number.NaN
    : (offer.baseUsdPerHour + (offer.storageUsdPerGbMonth * storageGb) / hoursPerMonth) / offer.numGpus;
