/** Opens on first use, once; closes what was opened. */
export function lazily<T extends { close: () => Promise<void> }>(
  open: () => Promise<T>,
): { get: () => Promise<T>; close: () => Promise<void> } {
  let opened: Promise<T> | null = null;
  return {
    get: () => {
      // A failure is not cached, because the database may have been unreachable.
      opened ??= open().catch((error: unknown) => {
        opened = null;
        throw error;
      });
      return opened;
    },
    close: async () => {
      const value = await opened?.catch(() => null);
      await value?.close();
    },
  };
}
