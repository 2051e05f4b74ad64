/** A fenced block of a document that a shell can run. */
export interface DocumentBlock {
  /** Line of the fence, counted from 1. */
  line: number;
  /** The heading above it; empty before the first. */
  heading: string;
  text: string;
}

/** The blocks fenced as `sh`, in the order of the document. Throws when a fence is not closed. */
export function shellBlocks(document: string): DocumentBlock[] {
  return fencedBlocks(document)
    .filter(({ language }) => language === 'sh')
    .map(({ line, heading, text }) => ({ line, heading, text }));
}

/** Every fenced block with the language that its fence names; empty: none. */
export function fencedBlocks(document: string): (DocumentBlock & { language: string })[] {
  const blocks: (DocumentBlock & { language: string })[] = [];
  let heading = '';
  let open: (DocumentBlock & { language: string }) | null = null;
  for (const [index, text] of document.split('\n').entries()) {
    const fence = /^\s*```(.*)$/.exec(text);
    if (fence !== null && open === null) {
      open = { line: index + 1, heading, text: '', language: (fence[1] ?? '').trim() };
    } else if (fence !== null && open !== null) {
      blocks.push(open);
      open = null;
    } else if (open !== null) open.text += `${text}\n`;
    else heading = /^#+ (.*)$/.exec(text)?.[1] ?? heading;
  }
  if (open !== null) throw new Error(`The fence of line ${open.line} is not closed.`);
  return blocks;
}
