import type { ComponentChildren } from 'preact';
import { type GlossaryWord, glossary } from '../core/glossary.ts';
import { SaysMore } from './says-more.tsx';

interface Props {
  word: GlossaryWord;
  /** @default the word itself */
  children?: ComponentChildren;
}

/** A word that says what it means when it is tapped, clicked or pressed. */
export const Term = ({ word, children = word }: Props) => (
  <SaysMore
    class="explained term"
    term={word}
    more={
      <>
        <strong>{word}</strong> {glossary[word]}
      </>
    }
  >
    {children}
  </SaysMore>
);
