import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { type GlossaryWord, glossary } from '../core/glossary.ts';

interface Props {
  word: GlossaryWord;
  /** @default the word itself */
  children?: ComponentChildren;
}

/** A word that says what it means when it is tapped, clicked or pressed; Escape or a tap elsewhere closes that. */
export function Term({ word, children = word }: Props) {
  const id = useId();
  return (
    <>
      <button type="button" class="explained term" popovertarget={id} data-term={word}>
        {children}
      </button>
      <span id={id} popover="auto" role="note" class="meaning">
        <strong>{word}</strong> {glossary[word]}
      </span>
    </>
  );
}
