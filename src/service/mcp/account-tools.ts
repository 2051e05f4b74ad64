import { z } from 'zod';
import { stateWords } from '../../rentals/state-words.ts';
import { defineTool } from './tool.ts';
import { amount, marketField, rangeFields, usd, viewOf } from './tool-fields.ts';

const text = z.string().nullable();

const instances = defineTool({
  name: 'list_instances',
  title: 'List instances',
  description: 'The instances of the account, whoever rented them, with state, price and when they end.',
  needs: 'viewer',
  input: marketField,
  output: {
    items: z.array(
      z.object({
        instanceId: z.int().nullable(),
        rentalId: text,
        state: z.string(),
        reason: text,
        label: text,
        rentedBy: text,
        gpuName: text,
        numGpus: z.int().nullable(),
        machineId: z.int().nullable(),
        usdPerHour: text,
        stoppedUsdPerDay: text,
        sshHost: text,
        sshPort: z.int().nullable(),
        endsAt: text,
        idle: z.boolean().nullable(),
      }),
    ),
    totalUsdPerHour: z.string(),
    unpriced: z.int(),
  },
  ask: async ({ api }, params) => await api.listInstances(params),
  words: ({ items, totalUsdPerHour }) =>
    items.length === 0
      ? 'There is no instance.'
      : `${items.length} instances for ${usd(totalUsdPerHour)}/hour in total: ${items
          .map(
            ({ instanceId, gpuName, state }) =>
              `${instanceId ?? 'not known yet'} (${gpuName}, ${stateWords(state)})`,
          )
          .join(', ')}.`,
  page: () => '/instances',
});

const sum = {
  category: z.string(),
  basis: z.string(),
  amountUsd: z.string(),
  entries: z.int(),
};

const spend = defineTool({
  name: 'spend_summary',
  title: 'Spend',
  description:
    'What was spent, by month, model, label or another grouping: charged amounts apart from estimates.',
  needs: 'viewer',
  input: {
    ...marketField,
    ...rangeFields('the start of the previous month'),
    groupBy: z
      .enum(['month', 'week', 'day', 'service', 'gpuName', 'instance', 'label', 'rentedBy', 'costCenter'])
      .optional()
      .describe('Default month'),
    timeZone: z.string().optional().describe('Time zone of days and months; default UTC'),
  },
  output: {
    market: z.string(),
    from: z.string(),
    to: z.string(),
    groupBy: z.string(),
    items: z.array(z.object({ key: text, ...sum })),
    totals: z.array(z.object(sum)),
  },
  ask: async ({ api }, params) => await api.getSpend(params),
  words: ({ from, to, totals }) =>
    totals.length === 0
      ? `Nothing was spent from ${from} to ${to}.`
      : `From ${from} to ${to}: ${totals
          .map(({ category, basis, amountUsd }) => `${category} ${amount(amountUsd)} (${basis})`)
          .join(', ')}.`,
  page: ({ from, to, groupBy = 'month' }) =>
    viewOf('/spend', { from, to, [isInterval(groupBy) ? 'unit' : 'group']: groupBy }),
});

/** Whether the page has it as the interval of its bars; others are groups there. */
const isInterval = (groupBy: string): boolean => ['day', 'week', 'month'].includes(groupBy);

/** Tools that read the account. */
export const accountTools = [instances, spend];
