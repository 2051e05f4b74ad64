import type { MarketClient } from '../../src/market/vast/client.ts';

/** Spoils a client as a careless program does: it sends a create again after an unclear answer. */
export const sendsTwice = (client: MarketClient): MarketClient => ({
  ...client,
  createInstance: async (...args) =>
    await client.createInstance(...args).catch(async () => await client.createInstance(...args)),
});
