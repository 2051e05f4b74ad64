import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { UserError } from '../../core/errors.ts';
import type { Offer } from '../../core/offer.ts';
import type { Api } from '../../core/terminal/api.ts';
import { type CommandContext, exitCodes } from '../../core/terminal/command-context.ts';
import { findByName } from '../../core/terminal/find-by-name.ts';
import { parseEnvFlags } from '../../market/env-flags.ts';
import { compressOnstart } from '../../market/vast/onstart.ts';
import type { VolumeAttachment } from '../../market/volume.ts';
import { actByApi, dollars } from '../acting-options.ts';
import type { RentedAnswer } from '../instances/instances.routes.ts';
import type { QuoteAnswer } from './quotes.routes.ts';

interface RentOptions {
  offer?: number;
  watch?: string;
  image?: string;
  template?: string;
  disk: number;
  max?: number;
  bid?: number;
  maxHours?: number;
  endAction?: string;
  env?: string;
  onstart?: string;
  compressOnstart?: true;
  volume?: VolumeAttachment;
  label?: string;
  costCenter?: string;
  onFailure?: string;
  replacements?: number;
  provisionMinutes?: number;
  nextBest?: true;
  key?: string;
  dryRun?: true;
  json?: true;
}

/** `offerbook rent`. */
export function rentCommand(context: CommandContext): Command {
  return new Command('rent')
    .description('rent an offer, or the best of a watch: at most once a key, whatever breaks')
    .option('--offer <id>', "the market's id of the offer", positive)
    .option('--watch <watch>', 'the best that fits this watch now: its id or name')
    .option('--image <image>', 'container image')
    .option('--template <hash>', 'hash of the template, as `templates search` shows it')
    .requiredOption('--disk <gb>', 'disk; it cannot grow later', positive)
    .option('--max <usd>', 'cap on $/hour of the whole machine with its disk', positive)
    .option('--bid <usd>', '$/hour to bid: interruptible, cheaper', positive)
    .option('--max-hours <hours>', 'hours from the rent until --end-action', positive)
    .addOption(
      new Option('--end-action <action>', 'what happens when the hours are over').choices([
        'stop',
        'destroy',
      ]),
    )
    .option('--env <flags>', 'variables and ports: "-e NAME=value -p host:container"')
    .option('--onstart <file>', 'file of the start script')
    .option('--compress-onstart', 'send a longer start script as one line that unpacks and runs it')
    .option('--volume <request>', 'existing ID:/path, or new OFFER:GB:/path', readVolume)
    .option('--label <text>', 'what to call it')
    .option('--cost-center <text>', 'whom it is charged to')
    .addOption(new Option('--on-failure <policy>', 'where it fails to start').choices(['tell', 'replace']))
    .option('--replacements <times>', 'with --on-failure replace: how often; default: once', positive)
    .option('--provision-minutes <minutes>', 'after them it has failed to start; default: 20', positive)
    .option('--next-best', 'take the next best where an offer is gone or above the cap')
    .option('--key <key>', 'idempotency key: the same again is the same rental; default: a new one')
    .option('--dry-run', 'quote it and send nothing')
    .option('--json', 'answer in JSON')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook rent --offer 1234567 --image pytorch/pytorch --disk 40 --max 0.60 --max-hours 8 --dry-run',
    )
    .action(async (options: RentOptions, command: Command) => {
      if ((options.offer === undefined) === (options.watch === undefined)) {
        command.error('error: give --offer or --watch, one of the two');
      }
      const given = bodyOf(options);
      await actByApi(context, async (api) => {
        const body = { ...given, watchId: await watchIdOf(api, options) };
        if (options.dryRun === true) {
          const quote = await api.request<QuoteAnswer>('/api/quotes', { method: 'POST', body });
          context.print(options.json ? JSON.stringify(quote) : quoteLines(quote).join('\n'));
          if (quote.guards.length > 0) context.exitWith(exitCodes.refused);
          else if (!quote.wouldRent) context.exitWith(exitCodes.failed);
          return;
        }
        const key = options.key ?? randomUUID();
        const headers = { 'idempotency-key': key };
        context.note(`Key ${key}: the same again is the same rental.`);
        const rented = await api.request<RentedAnswer>('/api/instances', { method: 'POST', body, headers });
        context.print(options.json ? JSON.stringify(rented) : rentedLine(rented));
        if (rented.state === 'failed') context.exitWith(exitCodes.failed);
        else if (rented.instanceId === null) context.exitWith(exitCodes.partial);
      });
    });
}

function bodyOf(options: RentOptions): object {
  const { offer, image, template, disk, max, bid, maxHours, endAction, env, volume } = options;
  const { label, costCenter, onFailure, replacements, provisionMinutes, nextBest } = options;
  return {
    ...{ offerId: offer, image, templateHashId: template, diskGb: disk },
    ...{
      maxUsdPerHour: max,
      bidUsdPerHour: bid,
      maxHours,
      endAction,
      volume,
      label,
      costCenter,
      onFailure,
      replacements,
      provisionMinutes,
      nextBest,
    },
    env: env === undefined ? undefined : readEnv(env),
    onstart: readOnstart(options),
  };
}

async function watchIdOf(api: Api, { watch }: RentOptions): Promise<string | undefined> {
  if (watch === undefined) return undefined;
  return (await findByName(api, { path: '/api/watches', what: 'watch', which: watch })).id;
}

function readEnv(flags: string): object {
  const { env, rest } = parseEnvFlags(flags);
  if (rest.length === 0) return env;
  throw new UserError(`--env: ${rest.join(' ')} is neither -e NAME=value nor -p host:container`);
}

function readOnstart({ onstart, compressOnstart: compress }: RentOptions): string | undefined {
  if (onstart === undefined) return undefined;
  let script: string;
  try {
    script = readFileSync(onstart, 'utf8');
  } catch (cause) {
    throw new UserError(`--onstart ${onstart} cannot be read: check the path.`, { cause });
  }
  return compress === true ? compressOnstart(script) : script;
}

function positive(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('Give a number above 0.');
}

function readVolume(text: string): VolumeAttachment {
  const existing = /^(\d+):(\/.+)$/.exec(text);
  if (existing !== null) {
    return { kind: 'existing', volumeId: Number(existing[1]), mountPath: existing[2] ?? '' };
  }
  const made = /^(\d+):(\d+):(\/.+)$/.exec(text);
  if (made === null) throw new InvalidArgumentError('Write ID:/path, or OFFER:GB:/path for a new one.');
  return {
    ...{ kind: 'new', volumeOfferId: Number(made[1]), sizeGb: Number(made[2]) },
    mountPath: made[3] ?? '',
  };
}

function quoteLines(quote: QuoteAnswer): string[] {
  const offer = quote.offer as Partial<Offer>;
  const { gpuName, numGpus, machineId, hostId, country, reliability, verification } = offer;
  const perGb = (usd: number | null | undefined) => (usd == null ? 'unknown' : `$${usd} per GB`);
  return [
    `Offer ${quote.offerId}: ${numGpus} × ${gpuName}, ${dollars(quote.usdPerHour)}/hour with its disk, ${dollars(quote.stoppedUsdPerDay)} a day while stopped.`,
    `Machine ${machineId}, host ${hostId ?? 'unknown'}, country ${country ?? 'unknown'}, reliability ${reliability ?? 'unknown'}, verification ${verification ?? 'unknown'}.`,
    `Download ${perGb(offer.inetDownUsdPerGb)}, upload ${perGb(offer.inetUpUsdPerGb)}. The host ends it: ${quote.endsAt ?? 'unknown'}.`,
    ...(quote.bidUsdPerHour === null
      ? []
      : [`Bid ${dollars(quote.bidUsdPerHour)}/hour; the market's minimum is ${quote.minBidUsdPerHour}.`]),
    ...quote.warnings.map(({ message }) => `Note: ${message}`),
    ...Object.entries(quote.sources).map(
      ([field, source]) => `  ${field}: ${JSON.stringify(quote.instance[field] ?? null)} (${source})`,
    ),
    ...quote.guards.map(({ guard, message }) => `Refused by ${guard}: ${message}`),
    ...(quote.refusal === null ? [] : [`Refused: ${quote.refusal.message}`]),
    quote.wouldRent ? 'It would be rented. Nothing was sent.' : 'It would not be rented. Nothing was sent.',
  ];
}

function rentedLine(rented: RentedAnswer): string {
  const { instanceId, rentalId, usdPerHour, state, reason, gpuName, numGpus, machineId } = rented;
  if (state === 'failed') return `Nothing was rented: ${reason}`;
  return instanceId === null
    ? `Rental ${rentalId} is ${state}: whether there is an instance is not known yet. Do not send it under another key.`
    : `Instance ${instanceId}, ${numGpus} × ${gpuName} on machine ${machineId}, is ${state} at ${dollars(usdPerHour)}/hour (rental ${rentalId}).`;
}
