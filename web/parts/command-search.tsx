import { useEffect, useState } from 'preact/hooks';
import type { App } from '../core/app.ts';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import { lazyPart } from './lazy-view.tsx';
import type { NavItem } from './nav-item.ts';

const CommandPalette = lazyPart(
  'the commands',
  async () => (await import('../commands/command-palette.tsx')).CommandPalette,
);

/** The button and the keys that open the command palette. */
export function CommandSearch({ app, views }: { app: App; views: readonly NavItem[] }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      if (event.altKey || event.shiftKey || isBehindDialog()) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  const close = () => setOpen(false);
  return (
    <>
      <button
        type="button"
        class="search"
        aria-haspopup="dialog"
        aria-label={`Search ${shortcut}`}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
        <span class="wide">Search</span> <kbd>{shortcut}</kbd>
      </button>
      {isOpen && (
        <Dialog title="Search and commands" close={close}>
          <CommandPalette app={app} views={views} close={close} />
        </Dialog>
      )}
    </>
  );
}

const shortcut = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ K' : 'Ctrl K';

/** Whether a dialog already covers the page. */
const isBehindDialog = (): boolean => document.querySelector('dialog[open]') !== null;
