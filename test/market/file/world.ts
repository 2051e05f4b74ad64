import { readFileSync } from 'node:fs';
import type { MarketWorld } from '../market-world.ts';
import { reply, startScriptedServer } from '../scripted-server.ts';

export const machines = JSON.parse(readFileSync(new URL('machines.json', import.meta.url), 'utf8')) as {
  machines: { number: number; card: string; cards: number; dollarsPerHour: number }[];
};

export const world: MarketWorld = {
  start: async () => ({ url: (await startScriptedServer(reply(200, machines))).baseUrl, apiKey: null }),
};
