import { accountTools } from './account-tools.ts';
import { adviceTools } from './advice-tools.ts';
import { instanceTools } from './instance-tools.ts';
import { marketTools } from './market-tools.ts';
import { rentTools } from './rent-tools.ts';
import type { Tool } from './tool.ts';
import { watchTools } from './watch-tools.ts';

/** Every tool, in the order of the list that clients show. */
export const tools: readonly Tool[] = [
  ...marketTools,
  ...adviceTools,
  ...rentTools,
  ...accountTools,
  ...instanceTools,
  ...watchTools,
];
