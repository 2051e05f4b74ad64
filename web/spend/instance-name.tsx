import type { VsMarket } from '../core/api.ts';

type Props = Pick<VsMarket['items'][number], 'instanceId' | 'source' | 'label' | 'gpuName' | 'numGpus'> & {
  withLink: boolean;
  /** @default no mark of bids */
  type?: VsMarket['items'][number]['type'];
};

/** Returns an instance's label, else its GPUs, else its number; the number too where several have the label. */
const shortNameOf = ({
  label,
  gpuName,
  numGpus,
  instanceId,
  source,
}: Omit<Props, 'withLink' | 'type'>): string =>
  label ?? (gpuName === null ? `${instanceId ?? source ?? 'unknown'}` : `${gpuName} × ${numGpus ?? '?'}`);

/** An instance by its label, beside it its GPUs and number; each only once. */
export function InstanceName(props: Props) {
  const { instanceId, source, label, gpuName, numGpus, withLink, type } = props;
  const name = shortNameOf(props);
  const gpus = label !== null && gpuName !== null ? `${gpuName} × ${numGpus ?? '?'}` : null;
  const id = `${instanceId ?? source ?? ''}`;
  const rest = [gpus, id === name ? null : id].filter((each) => each !== null && each !== '');
  return (
    <>
      {withLink && instanceId !== null ? <a href={`/instances/${instanceId}`}>{name}</a> : name}
      {rest.length > 0 && <span class="soft beside"> {rest.join(' · ')}</span>}
      {type === 'bid' && <span class="tag">bid</span>}
    </>
  );
}
