import { Command, Option } from 'commander';
import { UsageError } from '../../core/errors.ts';
import type { Api } from '../../core/terminal/api.ts';
import { above0, wholeFrom } from '../../core/terminal/numbers.ts';
import { formatTable } from '../../core/terminal/table.ts';
import { minuteWords } from '../../core/time-words.ts';
import { formatLimit } from '../../core/usd-words.ts';
import type { ServiceContext } from '../service-context.ts';

interface Token {
  id: string;
  name: string;
  role: string;
  maxUsdPerHour: number | null;
  maxInstances: number | null;
  maxRentsPerDay: number | null;
  markets: string[] | null;
  label: string | null;
  createdAt: string;
  revokedAt: string | null;
  lastUsedAt: string | null;
  lastUsedFrom: string | null;
}

interface NewToken {
  name: string;
  role: string;
  market?: string[];
  json?: true;
}

export function tokenCommand(context: ServiceContext): Command {
  const command = new Command('token')
    .description('manage access to the API and the web page')
    .addHelpText('after', '\nExample:\n  offerbook token login');
  for (const make of [loginLink, createOne, listAll, revokeOne, rotate]) command.addCommand(make(context));
  return command;
}

function loginLink(context: ServiceContext): Command {
  return new Command('login')
    .description('print a one-time sign-in link, valid for 10 minutes')
    .addHelpText('after', '\nExample:\n  offerbook token login')
    .action(async () => {
      await context.withRuntime(async ({ sql, config, now }) => {
        const { createLoginCode } = await import('./credentials.sql.ts');
        context.print(`${config.publicUrl}/login?code=${await createLoginCode(sql, now())}`);
        const { isServed } = await import('../only-service.ts');
        if ((await isServed(config)) === false) {
          context.note('No service runs on this data now: run `offerbook start` before you open the link.');
        }
      });
    });
}

function createOne(context: ServiceContext): Command {
  return new Command('create')
    .description('create a token and print it; it is shown only once')
    .requiredOption('--name <name>', 'name of its owner')
    .addOption(
      new Option('--role <role>', 'role').choices(['viewer', 'operator', 'admin', 'feed']).default('viewer'),
    )
    .option('--max-usd-per-hour <usd>', '$/hour of all that it may have rented', above0)
    .option('--max-instances <instances>', 'instances that it may have rented', wholeFrom(0))
    .option('--max-rents-per-day <rents>', 'rentals that it may make in 24 hours', wholeFrom(0))
    .option('--market <names...>', 'only these markets')
    .option('--label <text>', 'only instances and orders with this label may be changed')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook token create --name agent --role operator --max-usd-per-hour 2 --max-instances 2 --max-rents-per-day 5',
    )
    .action(async ({ json, market: markets, ...given }: NewToken) => {
      await context.withApi(async (api) => {
        const body = { ...given, ...(markets === undefined ? {} : { markets }) };
        const made = await api.createToken({ body });
        context.print(json ? JSON.stringify(made) : made.token);
      });
    });
}

function listAll(context: ServiceContext): Command {
  return new Command('list')
    .description('list tokens, without their secrets')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook token list')
    .action(async ({ json }: { json?: true }) => {
      await context.withApi(async (api) => {
        const tokens = await allTokens(api);
        const rows = tokens.map((token) => [
          token.id,
          token.name,
          token.role,
          limitWords(token),
          minuteWords(token.createdAt),
          token.lastUsedAt === null
            ? ''
            : [minuteWords(token.lastUsedAt), token.lastUsedFrom]
                .filter((part) => part !== null)
                .join(' from '),
          token.revokedAt === null ? '' : minuteWords(token.revokedAt),
        ]);
        context.print(
          json
            ? JSON.stringify({ tokens })
            : formatTable(['Id', 'Name', 'Role', 'Limits', 'Created', 'Last used', 'Revoked'], rows),
        );
      });
    });
}

function revokeOne(context: ServiceContext): Command {
  return new Command('revoke')
    .description('revoke tokens, effective at once')
    .argument('<id>', 'id, as `token list` shows it, or a name')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook token revoke dashboard')
    .action(async (which: string, { json }: { json?: true }) => {
      await context.withApi(async (api) => {
        const ended = (await allTokens(api)).filter(
          ({ id, name, revokedAt }) => revokedAt === null && (id === which || name === which),
        );
        if (ended.length === 0)
          throw new UsageError(`There is no active token ${which}: \`offerbook token list\` shows all.`);
        for (const { id } of ended) await api.revokeToken({ id });
        const names = ended.map(({ id, name }) => `${name} (${id})`).join(', ');
        context.print(json ? JSON.stringify({ revoked: ended.map(({ id }) => id) }) : `Revoked: ${names}.`);
      });
    });
}

function rotate(context: ServiceContext): Command {
  return new Command('rotate')
    .description("replace the administrator's token and end its sessions")
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook token rotate')
    .action(async ({ json }: { json?: true }) => {
      await context.withRuntime(async (runtime) => {
        const { rotateAdminToken } = await import('../admin-token.ts');
        const file = await rotateAdminToken(runtime);
        const where =
          file === null
            ? "OFFERBOOK_TOKEN is the administrator's token now."
            : `The new token is in ${file}.`;
        context.print(json ? JSON.stringify({ file }) : `${where} The previous token is revoked.`);
      });
    });
}

const allTokens = async (api: Api): Promise<Token[]> => (await api.listTokens()).items;

/** Describes what a token may rent; empty: no limit of its own. */
const limitWords = ({ maxUsdPerHour, maxInstances, maxRentsPerDay, markets, label }: Token): string =>
  [
    ...(maxUsdPerHour === null ? [] : [`${formatLimit(maxUsdPerHour)}/hour`]),
    ...(maxInstances === null ? [] : [`${maxInstances} instances`]),
    ...(maxRentsPerDay === null ? [] : [`${maxRentsPerDay} rentals a day`]),
    ...(markets === null ? [] : [`market ${markets.join(', ')}`]),
    ...(label === null ? [] : [`label ${label}`]),
  ].join(', ');
