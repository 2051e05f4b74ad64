interface Props {
  listingId: string;
  gpuName: string;
  numGpus: number;
}

/** A listing by its GPUs, with a link to it. */
export const ListingLink = ({ listingId, gpuName, numGpus }: Props) => (
  <a href={`/listings/${listingId}`}>
    {gpuName} <span class="times">× {numGpus}</span>
  </a>
);
