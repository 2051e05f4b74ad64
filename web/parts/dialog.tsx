import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface Props {
  title: string;
  close: () => void;
  /** Whether it has tables that need more width. @default false */
  wide?: boolean;
  children: ComponentChildren;
}

/**
 * A modal window that keeps the keyboard focus until it is closed; Escape closes it. The focus begins at the element
 * with `data-begin`, else at the first one.
 */
export function Dialog({ title, close, wide = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before it is painted, so that no key is lost that is pressed meanwhile.
  useLayoutEffect(() => {
    const before = document.activeElement;
    if (document.querySelector('dialog[open]') === null) reserveScrollbar();
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('[data-begin]')?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} class={wide ? 'wide-dialog' : undefined} aria-label={title} onClose={close}>
      <div class="heading">
        <h2>{title}</h2>
        <button type="button" class="quiet small" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      {children}
    </dialog>
  );
}

/** Keeps the room of the page's scrollbar, which is hidden while a dialog is open, so that nothing moves. */
function reserveScrollbar(): void {
  const root = document.documentElement;
  root.style.setProperty('--scrollbar', `${window.innerWidth - root.getBoundingClientRect().width}px`);
}

interface TypedProps {
  /** What is to be typed. */
  words: string;
  given: string;
  set: (given: string) => void;
}

/** A field for words that are typed to confirm something; they are set off from the sentence around them. */
export const TypedField = ({ words, given, set }: TypedProps) => (
  <label class="field">
    <span>
      Type <kbd>{words}</kbd> to confirm
    </span>
    <input
      name="typed"
      data-begin
      autocomplete="off"
      value={given}
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  </label>
);

interface ConfirmProps {
  title: string;
  /** What it does and costs. */
  children: ComponentChildren;
  /** Label of the button. */
  action: string;
  busy: boolean;
  danger?: boolean;
  /** Why it cannot be confirmed yet, in place of the button's label. @default it can */
  waits?: string | undefined;
  /** Text to type before the button is enabled. @default none */
  typed?: string | undefined;
  confirm: () => void;
  close: () => void;
}

/** Asks for confirmation before something that costs money or cannot be undone. */
export function Confirm(props: ConfirmProps) {
  const { title, children, action, busy, danger = false, waits, typed, confirm, close } = props;
  const [given, setGiven] = useState('');
  const isMeant = typed === undefined || given.trim() === typed.trim();
  return (
    <Dialog title={title} close={close}>
      {children}
      {typed === undefined ? null : <TypedField words={typed} given={given} set={setGiven} />}
      <p class="row">
        <button
          type="button"
          class={danger ? 'danger' : 'primary'}
          disabled={busy || waits !== undefined || !isMeant}
          onClick={confirm}
        >
          {busy ? 'Sending…' : (waits ?? action)}
        </button>
        <button type="button" disabled={busy} onClick={close}>
          Cancel
        </button>
      </p>
    </Dialog>
  );
}
