import { z } from 'zod';
import { rankingMetrics } from '../../core/metric.ts';
import { defineTool } from './tool.ts';
import { filterFields, marketField, rangeFields } from './tool-fields.ts';

const createWatch = defineTool({
  name: 'create_watch',
  title: 'Create a watch',
  description: 'Saves conditions on offers as a watch, which is crawled by itself. It rents nothing.',
  needs: 'operator',
  changes: { isDestructive: false, isIdempotent: false },
  input: {
    ...marketField,
    name: z.string().describe('A name of your choice, unique'),
    filters: z.strictObject(filterFields).optional().describe('Conditions on offers'),
    rankBy: z.enum(rankingMetrics).optional().describe('What its reports rank by'),
    top: z.int().min(1).max(1000).optional().describe('Offers in a report'),
  },
  output: {
    id: z.string(),
    market: z.string(),
    name: z.string(),
    rankBy: z.string(),
    top: z.int(),
  },
  ask: async ({ api }, body) => await api.createWatch({ body }),
  words: ({ id, name }) => `The watch ${JSON.stringify(name)} is saved: ${id}.`,
  page: () => '/watches',
});

const alerts = defineTool({
  name: 'list_alerts',
  title: 'List alerts',
  description: 'The newest alerts of the rules: what happened, when, and to which models.',
  needs: 'viewer',
  input: {
    ...marketField,
    ...rangeFields('30 days ago'),
    limit: z.int().min(1).max(50).optional().describe('Number of alerts; default 20'),
  },
  output: {
    items: z.array(
      z.object({
        id: z.string(),
        market: z.string(),
        at: z.string(),
        title: z.string(),
        value: z.number().nullable(),
        kind: z.string(),
        watchId: z.string().nullable(),
        gpuNames: z.array(z.string()),
      }),
    ),
  },
  ask: async ({ api }, params) => await api.listAlerts({ ...params, limit: params.limit ?? 20 }),
  words: ({ items }) =>
    items.length === 0
      ? 'There is no alert in that time.'
      : `${items.length} alerts, the newest first: ${items
          .slice(0, 5)
          .map(({ at, title }) => `${at} ${title}`)
          .join('; ')}.`,
  page: () => '/watches',
});

/** Tools for watches and their alerts. */
export const watchTools = [createWatch, alerts];
