import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { lazyPart } from '../../parts/lazy-view.tsx';
import type { CompareProps } from './compare-table.tsx';
import type { Picked } from './picked-offers.ts';

const CompareTable = lazyPart<CompareProps>(
  'the comparison',
  async () => (await import('./compare-table.tsx')).CompareTable,
);

/** Opens the picked offers side by side. */
export function CompareButton({ picked, ...shown }: Omit<CompareProps, 'items'> & { picked: Picked }) {
  const [open, setOpen] = useState(false);
  const { items, clear } = picked;
  return (
    <>
      <button
        type="button"
        disabled={items.length < 2}
        title={items.length < 2 ? 'Tick two to four offers first' : undefined}
        onClick={() => setOpen(true)}
      >
        Compare{items.length > 0 && ` ${items.length}`}
      </button>
      {items.length > 0 && (
        <button type="button" class="quiet small" onClick={clear}>
          Clear ticks
        </button>
      )}
      {open && (
        <Dialog title={`Compare ${items.length} offers`} close={() => setOpen(false)}>
          <CompareTable items={items} {...shown} />
        </Dialog>
      )}
    </>
  );
}
