const endings: (() => Promise<void>)[] = [];

/**
 * Runs this after the last test of the file, wherever it is called. A hook would not do: what a test or another hook
 * registers while it runs is never called.
 */
export function atEndOfFile(end: () => Promise<void>): void {
  endings.push(end);
}

/** Runs the registered functions, the newest first. */
export async function endFile(): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end();
}
