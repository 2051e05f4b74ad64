import type { MadeHistory } from './make-history.ts';

const dayMs = 86_400_000;

/** Daily points of one model, a different one each round. */
export const trendOf = ({ gpuNames }: MadeHistory, at: number): string =>
  `/api/trends?bucket=1d&gpuName=${encodeURIComponent(gpuNames[at % gpuNames.length] ?? '')}`;

/** The index of one model, a different one each round. */
export const indexOf = ({ gpuNames }: MadeHistory, at: number): string =>
  `/api/index?gpuName=${encodeURIComponent(gpuNames[at % gpuNames.length] ?? '')}`;

/** The forecasts of one model, alternating between its median and its index. */
export const forecastOf = ({ gpuNames }: MadeHistory, at: number): string =>
  `/api/forecast?metric=${at % 2 === 0 ? 'median' : 'index'}&gpuName=${encodeURIComponent(gpuNames[at % gpuNames.length] ?? '')}`;

/** Whether waiting that many hours for one of the models has paid off. */
export const waitOf = ({ gpuNames }: MadeHistory, at: number, hours: number, filter = ''): string =>
  `/api/wait-or-rent?hours=${hours}&gpuName=${encodeURIComponent(gpuNames[at % gpuNames.length] ?? '')}&${filter}`;

/** Days after the first book, and minutes by round, so that no two requests are equal. */
export const shifted = ({ from }: MadeHistory, day: number, at: number): string =>
  new Date(from.getTime() + day * dayMs + Math.floor(at / 60) * 60_000).toISOString();

/** Daily points from a day on with filters for which no statistics are stored, different ones each round. */
export function filteredTrend(history: MadeHistory, day: number, at: number): string {
  const filter = `minReliability=${(0.91 + at * 0.0001).toFixed(4)}&minInetDown=${210 + at}`;
  return `${trendOf(history, at)}&from=${shifted(history, day, 0)}&${filter}`;
}
