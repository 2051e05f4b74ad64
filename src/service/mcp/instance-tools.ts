import { z } from 'zod';
import { ChangedSchema } from '../../rentals/instances/instances.routes.ts';
import { defineTool } from './tool.ts';
import { usd } from './tool-fields.ts';

const instanceId = z.int().min(0).describe('Instance, as list_instances shows it');

interface Change {
  name: string;
  title: string;
  description: string;
  isDestructive: boolean;
  send: 'stopInstance' | 'startInstance';
}

const changeTool = ({ name, title, description, isDestructive, send }: Change) =>
  defineTool({
    name,
    title,
    description,
    needs: 'acting',
    changes: { isDestructive, isIdempotent: true },
    input: { instanceId },
    output: ChangedSchema.shape,
    ask: async ({ api }, given) => await api[send]({ id: given.instanceId }),
    words: wordsOfChange,
    page: () => '/instances',
  });

function wordsOfChange({
  instanceId: id,
  wanted,
  outcome,
  problem,
  stoppedUsdPerDay,
}: z.output<typeof ChangedSchema>): string {
  const disk =
    wanted === 'stopped' ? ` Its disk costs ${usd(stoppedUsdPerDay)} a day until it is destroyed.` : '';
  return outcome === 'accepted'
    ? `The market accepted that instance ${id} is to be ${wanted}.${disk}`
    : `Not done yet, it is sent again until a list shows instance ${id} as ${wanted}: ${problem}`;
}

const destroy = defineTool({
  name: 'destroy_instance',
  title: 'Destroy an instance',
  description: 'Destroys an instance and all its data for ever. Give its id twice.',
  needs: 'acting',
  changes: { isDestructive: true, isIdempotent: true },
  input: { instanceId, confirmInstanceId: z.int().describe('The same id again, to confirm') },
  output: ChangedSchema.shape,
  ask: async ({ api }, given) => {
    if (given.instanceId !== given.confirmInstanceId) {
      throw new Error('`confirmInstanceId` must be the same id as `instanceId`: nothing was destroyed.');
    }
    return await api.destroyInstance({ id: given.instanceId });
  },
  words: wordsOfChange,
  page: () => '/instances',
});

/** Tools that change instances. */
export const instanceTools = [
  changeTool({
    name: 'stop_instance',
    title: 'Stop an instance',
    description: 'Stops an instance: what runs on it ends, its disk is kept and still costs money.',
    isDestructive: true,
    send: 'stopInstance',
  }),
  changeTool({
    name: 'start_instance',
    title: 'Start an instance',
    description: 'Starts a stopped instance again, which costs money.',
    isDestructive: false,
    send: 'startInstance',
  }),
  destroy,
];
