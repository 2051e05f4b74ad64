import { randomUUID } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Offer } from '../../core/offer.ts';
import type { Api, BodyOf } from '../../core/terminal/api.ts';
import { type CommandContext, exitCodes } from '../../core/terminal/command-context.ts';
import { findByName } from '../../core/terminal/find-by-name.ts';
import { above0 } from '../../core/terminal/numbers.ts';
import { minuteWords } from '../../core/time-words.ts';
import type { AccountRules } from '../../market/account.ts';
import type { VolumeAttachment } from '../../market/volume.ts';
import { actByApi, dollars } from '../acting-options.ts';
import { addEndOptions, type EndOptions, endsOfOptions } from '../instances/end-options.ts';
import type { RentedAnswer } from '../instances/instances.routes.ts';
import { stateWords } from '../state-words.ts';
import type { PersonalMarket } from '../templates/person-client.ts';
import { readEnv, readOnstart } from './machine-options.ts';
import type { QuoteAnswer } from './quotes.routes.ts';

interface RentOptions extends EndOptions {
  offer?: number;
  watch?: string;
  image?: string;
  template?: string;
  disk?: number;
  max?: number;
  bid?: number;
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
export function rentCommand(context: CommandContext & Pick<PersonalMarket, 'accountRules'>): Command {
  const command = new Command('rent')
    .description('rent an offer, or the best match of a watch; the same --key never rents twice')
    .option('--offer <id>', 'offer id, as `rank` and `offers` show it', readOffer)
    .option('--watch <watch>', 'rent the best match of this watch (name or id)')
    .option('--image <image>', 'container image')
    .option('--template <hash>', 'template hash, as `templates search` shows it')
    .option('--disk <gb>', 'disk size, GB; it cannot grow later', above0)
    .option('--max <usd>', 'maximum price, $/hour for the whole machine with its disk', above0)
    .option('--bid <usd>', 'bid, $/hour for the whole machine (interruptible)', above0);
  return addEndOptions(command)
    .option('--env <flags>', 'environment variables and ports: "-e NAME=value -p host:container"')
    .option('--onstart <file>', 'file with the start script, at most 4048 characters')
    .option('--compress-onstart', 'compress a longer start script into one line that unpacks and runs it')
    .option(
      '--volume <request>',
      'attach a volume: ID:/path for an existing one, OFFER:GB:/path for a new one',
      readVolume,
    )
    .option('--label <text>', 'label of the instance')
    .option('--cost-center <text>', 'cost center that it is charged to')
    .addOption(
      new Option('--on-failure <policy>', 'what to do if it fails to start (default: notify)').choices([
        'notify',
        'replace',
      ]),
    )
    .option(
      '--replacements <times>',
      'with --on-failure replace: maximum number of replacements (default: 1)',
      above0,
    )
    .option(
      '--provision-minutes <minutes>',
      'minutes after which it has failed to start (default: 20)',
      above0,
    )
    .option('--next-best', 'if the offer is gone or too expensive, take the next best')
    .option('--key <key>', 'idempotency key: the same key is the same rental (default: a new key)')
    .option('--dry-run', 'show the quote and send nothing')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook rent --offer 1234567 --image pytorch/pytorch --disk 40 --max 0.60 --max-hours 8 --dry-run',
    )
    .action(async (options: RentOptions, command: Command) => {
      requireWhole(options, command);
      const given = await bodyOf(options, context.accountRules);
      await actByApi(context, async (api) => {
        const body = { ...given, watchId: await watchIdOf(api, options) } as BodyOf<'rentInstance'>;
        if (options.dryRun === true) {
          const quote = await api.createQuote({ body });
          context.print(options.json ? JSON.stringify(quote) : quoteLines(quote).join('\n'));
          if (quote.guards.length > 0) context.exitWith(exitCodes.refused);
          else if (!quote.wouldRent) context.exitWith(exitCodes.failed);
          return;
        }
        const key = options.key ?? randomUUID();
        context.note(`Key ${key}: run the command again with it to get this rental, not a second one.`);
        const rented = await api.rentInstance({ body, idempotencyKey: key });
        if (!('rentalId' in rented)) throw new Error('the API only quoted the rental');
        context.print(options.json ? JSON.stringify(rented) : rentedLine(rented));
        if (rented.state === 'failed') context.exitWith(exitCodes.failed);
        else if (rented.instanceId === null) context.exitWith(exitCodes.partial);
      });
    });
}

/** Ends the command with one error that names everything that is missing. */
function requireWhole({ offer, watch, image, template, disk }: RentOptions, command: Command): void {
  const missing = [
    ...(offer === undefined && watch === undefined ? ['--offer or --watch'] : []),
    ...(image === undefined && template === undefined ? ['--image or --template'] : []),
    ...(disk === undefined ? ['--disk'] : []),
  ];
  if (missing.length > 0) command.error(`error: missing options: ${missing.join('; ')}`);
  if (offer !== undefined && watch !== undefined) command.error('error: give either --offer or --watch');
}

async function bodyOf(options: RentOptions, accountRules: () => Promise<AccountRules>) {
  const { offer, image, template, disk, max, bid, env, volume } = options;
  const { label, costCenter, onFailure, replacements, provisionMinutes, nextBest } = options;
  return {
    offerId: offer,
    image,
    templateHashId: template,
    diskGb: disk,
    maxUsdPerHour: max,
    bidUsdPerHour: bid,
    ...endsOfOptions(options),
    volume,
    label,
    costCenter,
    onFailure,
    replacements,
    provisionMinutes,
    nextBest,
    env: env === undefined ? undefined : readEnv(env),
    onstart: await readOnstart(options, accountRules),
  };
}

async function watchIdOf(api: Api, { watch }: RentOptions): Promise<string | undefined> {
  if (watch === undefined) return undefined;
  return (await findByName('watch', watch, api.listWatches)).id;
}

/** Parses an offer's id; a script whose list of offers is empty gives nothing, or the `null` of jq. */
function readOffer(text: string): number {
  if (text.trim() !== '' && text !== 'null') return above0(text);
  throw new InvalidArgumentError('No offer was given. `offerbook rank` lists offers with their ids.');
}

function readVolume(text: string): VolumeAttachment {
  const existing = /^(\d+):(\/.+)$/.exec(text);
  if (existing !== null) {
    return { kind: 'existing', volumeId: Number(existing[1]), mountPath: existing[2] ?? '' };
  }
  const made = /^(\d+):(\d+):(\/.+)$/.exec(text);
  if (made === null) throw new InvalidArgumentError('Write ID:/path, or OFFER:GB:/path for a new one.');
  return { kind: 'new', volumeOfferId: Number(made[1]), sizeGb: Number(made[2]), mountPath: made[3] ?? '' };
}

function quoteLines(quote: QuoteAnswer): string[] {
  const offer = quote.offer as Partial<Offer>;
  const { gpuName, numGpus, machineId, hostId, country, reliability, verification } = offer;
  const perGb = (usd: number | null | undefined) =>
    usd == null ? 'unknown' : `${dollars(String(usd))} per GB`;
  const given = Object.entries(quote.sources).filter(([, source]) => source !== 'neither');
  return [
    `Offer ${quote.offerId}: ${numGpus} × ${gpuName}, ${dollars(quote.usdPerHour)}/hour with its disk, ${dollars(quote.stoppedUsdPerDay)} a day while stopped.`,
    `Machine ${machineId}, host ${hostId ?? 'unknown'}, country ${country ?? 'unknown'}, reliability ${reliability ?? 'unknown'}, verification ${verification ?? 'unknown'}.`,
    `Download ${perGb(offer.inetDownUsdPerGb)}, upload ${perGb(offer.inetUpUsdPerGb)}. Available until ${quote.endsAt === null ? 'unknown' : minuteWords(quote.endsAt)}.`,
    ...(quote.bidUsdPerHour === null
      ? []
      : [`Bid ${dollars(quote.bidUsdPerHour)}/hour; the market's minimum is ${quote.minBidUsdPerHour}.`]),
    `Price verdict: ${quote.verdict?.summary.sentence ?? 'none, because the newest complete book does not list this offer'}.`,
    ...quote.warnings.map(({ message }) => `Note: ${message}`),
    ...given.map(
      ([field, source]) => `  ${field}: ${JSON.stringify(quote.instance[field] ?? null)} (${source})`,
    ),
    ...quote.guards.map(({ guard, message }) => `Refused by ${guard}: ${message}`),
    ...(quote.refusal === null ? [] : [`Refused: ${quote.refusal.message}`]),
    quote.wouldRent
      ? 'Dry run: it would be rented. Nothing was sent.'
      : 'Dry run: it would not be rented. Nothing was sent.',
  ];
}

function rentedLine(rented: RentedAnswer): string {
  const { instanceId, rentalId, usdPerHour, state, reason, gpuName, numGpus, machineId } = rented;
  if (state === 'failed') return `Nothing was rented: ${reason}`;
  return instanceId === null
    ? `Rental ${rentalId} is ${stateWords(state)}. It is not known yet whether there is an instance. Do not rent again with another key.`
    : `Instance ${instanceId}, ${numGpus} × ${gpuName} on machine ${machineId}, is ${stateWords(state)} at ${dollars(usdPerHour)}/hour (rental ${rentalId}).`;
}
