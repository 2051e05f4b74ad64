import { Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { formatTable } from '../../core/terminal/table.ts';
import { actByApi } from '../acting-options.ts';

/** `offerbook volumes`. */
export function volumesCommand(context: CommandContext): Command {
  const command = new Command('volumes')
    .description('manage volumes: storage that outlives instances')
    .addHelpText('after', '\nExample:\n  offerbook volumes search');
  command.addCommand(
    new Command('list')
      .description('list volumes')
      .option('--json', 'print JSON')
      .addHelpText('after', '\nExample:\n  offerbook volumes list')
      .action(async ({ json }: { json?: true }) => {
        await context.withApi(async (api) => {
          const { items } = await api.listVolumes();
          const rows = items.map((one) => [
            ...[one.volumeId, one.status ?? '', one.sizeGb ?? '', one.machineId ?? ''],
            one.instanceIds?.join(', ') ?? '',
          ]);
          const head = ['Id', 'Status', 'Size, GB', 'Machine', 'Instances'];
          const table =
            rows.length === 0
              ? 'No volumes: `offerbook volumes search` lists storage for one.'
              : formatTable(head, rows, [2]);
          context.print(json ? JSON.stringify({ items }) : table);
        });
      }),
  );
  command.addCommand(
    new Command('search')
      .description('list storage that is offered for volumes')
      .option('--machine <id>', 'only on this machine', whole)
      .option('--json', 'print JSON')
      .addHelpText('after', '\nExample:\n  offerbook volumes search --machine 1234')
      .action(async ({ machine, json }: { machine?: number; json?: true }) => {
        await context.withApi(async (api) => {
          const { items } = await api.listVolumeOffers({ machineId: machine });
          const rows = items.map((one) => [
            ...[
              one.volumeOfferId,
              one.machineId ?? '',
              one.gpuName === null ? '' : `${one.gpuName} × ${one.numGpus}`,
              one.country ?? '',
              one.diskSpaceGb ?? '',
              one.storageUsdPerGbMonth ?? '',
            ],
          ]);
          const head = ['Offer', 'Machine', 'GPUs', 'Country', 'Max size, GB', '$/GB-month'];
          context.print(json ? JSON.stringify({ items }) : formatTable(head, rows, [4, 5]));
        });
      }),
  );
  command.addCommand(
    new Command('create')
      .description('create a volume; it costs money from then on')
      .argument('<offer>', 'offer id, as `volumes search` shows it', whole)
      .argument('<gb>', 'size, GB', whole)
      .option('--json', 'print JSON')
      .addHelpText('after', '\nExample:\n  offerbook volumes create 98765 100')
      .action(async (volumeOfferId: number, sizeGb: number, { json }: { json?: true }) => {
        await actByApi(context, async (api) => {
          const made = await api.createVolume({ body: { volumeOfferId, sizeGb } });
          context.print(json ? JSON.stringify(made) : `Created volume ${made.volumeName}.`);
        });
      }),
  );
  command.addCommand(
    new Command('delete')
      .description('delete a volume and its data')
      .argument('<id>', 'id, as `volumes list` shows it', whole)
      .requiredOption('--yes', 'confirm that its data is lost')
      .addHelpText('after', '\nExample:\n  offerbook volumes delete 4711 --yes')
      .action(async (volumeId: number) => {
        await actByApi(context, async (api) => {
          await api.deleteVolume({ id: volumeId });
          context.print(`Deleted volume ${volumeId}.`);
        });
      }),
  );
  return command;
}

function whole(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a whole number.');
}
