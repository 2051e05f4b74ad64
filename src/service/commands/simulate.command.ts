import { Command, Option } from 'commander';
import { UsageError, UserError } from '../../core/errors.ts';
import type { RecordedBook } from '../../core/recorded-book.ts';
import { above0, wholeFrom } from '../../core/terminal/numbers.ts';
import type { ServiceContext } from '../service-context.ts';

interface SimulateArguments {
  kind: 'vast' | 'clore';
  port: number;
  apiKey?: string;
  seed: number;
  offers: number;
  cap: number;
  speed: number;
  replay?: string[];
  state?: string;
  fault?: string[];
  adminKey?: string;
  billing: 'second' | 'hour';
  throttle: 'off' | 'public';
  pastPayments: number;
  pastRentals?: true;
}

export function simulateCommand(context: ServiceContext): Command {
  return new Command('simulate')
    .description('serve a simulated marketplace for tests and development')
    .addOption(
      new Option('--kind <market>', 'kind of marketplace; clore has only the list of offers')
        .choices(['vast', 'clore'])
        .default('vast'),
    )
    .option('--port <port>', 'port on 127.0.0.1; 0 for any free port', wholeFrom(0), 8090)
    .option('--api-key <key>', 'API key that it accepts (default: a random one, which is printed)')
    .option('--seed <number>', 'seed of the market', wholeFrom(0), 1)
    .option('--offers <number>', 'approximate number of offers per pricing type', wholeFrom(1), 1_500)
    .option(
      '--cap <rows>',
      'maximum rows per answer; more are cut off silently, as on real markets',
      wholeFrom(1),
      25_000,
    )
    .option('--speed <factor>', 'simulated seconds per second', above0, 1)
    .option('--replay <file...>', 'replay recorded books instead')
    .option('--state <file>', 'file that keeps the account (instances, bills, templates) between starts')
    .option('--fault <fault...>', 'inject a fault: kind[=value][@[METHOD ]/path][:share][#count]')
    .option('--admin-key <key>', 'key for /admin/ (faults, clock, keys, truth)')
    .addOption(new Option('--billing <unit>', 'billing unit').choices(['second', 'hour']).default('second'))
    .addOption(new Option('--throttle <limits>', 'rate limits').choices(['off', 'public']).default('off'))
    .option('--past-payments <count>', 'payments per service that a new account starts with', wholeFrom(0), 0)
    .option('--past-rentals', 'start a new account with rentals and payments of the last eight weeks')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook simulate --api-key secret --replay books/*.jsonl.gz --speed 3600',
    )
    .action(async (given: SimulateArguments, command: Command) => {
      const { simulator, madeKey } =
        given.kind === 'clore' ? await openClore(given, command) : await openVast(given);
      const { url } = await listenOn(simulator, given.port);
      context.print(url);
      if (madeKey !== null) context.note(`API key: ${madeKey}`);
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve, { once: true }));
      await simulator.close();
    });
}

interface Simulated {
  listen: (options: { port: number }) => Promise<{ url: string }>;
  close: () => Promise<void>;
}

/** `madeKey` null: a key was given, or none is needed. */
interface Opened {
  simulator: Simulated;
  madeKey: string | null;
}

async function openVast({
  apiKey,
  seed,
  offers,
  replay,
  fault,
  ...rest
}: SimulateArguments): Promise<Opened> {
  if (rest.state !== undefined && apiKey === undefined) {
    throw new UserError(
      '--state needs --api-key: a generated key would not open the saved account next time.',
    );
  }
  const { createSimulator } = await import('../../simulator/simulator.ts');
  const simulator = createSimulator({
    ...rest,
    seed,
    offersPerType: offers,
    apiKey,
    faults: fault,
    replay: replay === undefined ? undefined : await readBooks(replay),
  });
  return { simulator, madeKey: apiKey === undefined ? simulator.apiKey : null };
}

const ofClore = ['kind', 'port', 'apiKey', 'seed', 'offers', 'speed', 'fault'];

async function openClore(
  { apiKey, seed, offers, speed, fault = [] }: SimulateArguments,
  command: Command,
): Promise<Opened> {
  const other = command.options.find(
    (option) =>
      command.getOptionValueSource(option.attributeName()) === 'cli' &&
      !ofClore.includes(option.attributeName()),
  );
  if (other !== undefined) throw new UsageError(`${other.long} is of --kind vast: leave it out for clore.`);
  const { createCloreSimulator } = await import('../../simulator/clore/clore-simulator.ts');
  const simulator = createCloreSimulator({
    seed,
    speed,
    servers: offers,
    apiKeys: apiKey === undefined ? [] : [apiKey],
  });
  simulator.setFaults(fault);
  return { simulator, madeKey: null };
}

async function listenOn(simulator: Simulated, port: number): Promise<{ url: string }> {
  try {
    return await simulator.listen({ port });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw cause;
    throw new UserError(
      `Cannot listen on port ${port} (${code === 'EADDRINUSE' ? 'another program uses it' : code}): choose another with --port.`,
      { cause },
    );
  }
}

async function readBooks(files: readonly string[]): Promise<RecordedBook[]> {
  const { readRecordedBooks } = await import('../../books/import/recorded-books.ts');
  const books: RecordedBook[] = [];
  for (const file of files) books.push(...(await readRecordedBooks(file)));
  return books;
}
