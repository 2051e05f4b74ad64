import { countryName } from '../../parts/country.tsx';

interface Props {
  machineId: number | null;
  gpuName: string | null;
  numGpus: number | null;
  country: string | null;
}

/** A machine by its number, with its GPUs and country as it was last offered, as far as they are known. */
export function MachineName({ machineId, gpuName, numGpus, country }: Props) {
  const known = [
    ...(gpuName === null ? [] : [`${gpuName} × ${numGpus ?? '?'}`]),
    ...(country === null ? [] : [countryName(country)]),
  ];
  return (
    <>
      {machineId ?? 'not stated'}
      {known.length > 0 && <span class="soft beside"> {known.join(' · ')}</span>}
    </>
  );
}
