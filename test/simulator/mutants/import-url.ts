/** Node's own `import`, which its loader hooks see, where a test runner has put one of its own in its place. */
export const importUrl = (url: string): Promise<unknown> => import(url);
