import { useState } from 'preact/hooks';
import type { VolumeOffer } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { formatCount, formatUsd } from '../../core/figures.ts';
import { useAction } from '../../core/use-action.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';

interface Props {
  app: App;
  offer: VolumeOffer;
  done: () => void;
  close: () => void;
}

/** Creates a volume from a storage offer after showing its price. */
export function MakeVolume({ app, offer, done, close }: Props) {
  const { volumeOfferId, machineId, diskSpaceGb, storageUsdPerGbMonth: usdPerGb } = offer;
  const [size, setSize] = useState(String(Math.min(10, Math.floor(diskSpaceGb ?? 10))));
  const action = useAction(app);
  const sizeGb = Math.floor(Number(size));
  const monthly = usdPerGb === null || !(sizeGb > 0) ? null : usdPerGb * sizeGb;
  return (
    <Confirm
      title={`New volume on machine ${machineId ?? 'unknown'}`}
      action="Create"
      busy={action.busy}
      close={close}
      confirm={() =>
        void action.run(async () => {
          const { volumeName } = await app.api.createVolume({ body: { volumeOfferId, sizeGb } });
          done();
          return `Volume ${volumeName} created.`;
        })
      }
    >
      <label class="field narrow">
        <span>Size, GB{diskSpaceGb === null ? '' : `, max ${formatCount(Math.floor(diskSpaceGb))}`}</span>
        <input
          name="sizeGb"
          type="number"
          min={1}
          max={diskSpaceGb === null ? undefined : Math.floor(diskSpaceGb)}
          required
          value={size}
          onInput={({ currentTarget }) => setSize(currentTarget.value)}
        />
      </label>
      <p>
        {monthly === null ? 'Price unknown' : `${formatUsd(monthly, 2)}/month`}, charged until you delete it,
        whether or not an instance uses it.
      </p>
      <Failure problem={action.problem} />
    </Confirm>
  );
}
