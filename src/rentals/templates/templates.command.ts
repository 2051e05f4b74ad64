import { Command, InvalidArgumentError } from 'commander';
import { UserError } from '../../core/errors.ts';
import type { MarketFilters } from '../../core/market-filter.ts';
import type { Api, BodyOf } from '../../core/terminal/api.ts';
import { type CommandContext, exitCodes } from '../../core/terminal/command-context.ts';
import { formatTable } from '../../core/terminal/table.ts';
import type { Template } from '../../market/template.ts';
import { present } from '../market-capability.ts';
import { type PersonalMarket, requestAsPerson } from './person-client.ts';
import {
  addTemplateOptions,
  readFilters,
  readTemplateOptions,
  type TemplateOptions,
} from './template-fields.ts';

type TemplatesContext = CommandContext & PersonalMarket;

export function templatesCommand(context: TemplatesContext): Command {
  const command = new Command('templates')
    .description('manage the templates of the market account')
    .addHelpText('after', '\nExample:\n  offerbook templates search');
  command.addCommand(searchTemplates(context));
  command.addCommand(createTemplate(context));
  command.addCommand(editTemplate(context));
  command.addCommand(deleteTemplate(context));
  return command;
}

interface SearchOptions {
  name?: string;
  image?: string;
  filters?: MarketFilters;
  orderBy?: string;
  json?: true;
}

function searchTemplates(context: TemplatesContext): Command {
  return new Command('search')
    .description('list own and public templates')
    .option('--name <name>', 'only templates with this name')
    .option('--image <image>', 'only templates with this image')
    .option('--filters <json>', "more conditions, in the market's field names", readFilters)
    .option('--order-by <column>', 'column to sort by, as the market names it')
    .option('--json', 'print JSON, with every field')
    .addHelpText('after', '\nExample:\n  offerbook templates search --image pytorch/pytorch')
    .action(async ({ name, image, filters, orderBy, json }: SearchOptions, command: Command) => {
      const all = {
        ...filters,
        ...(name === undefined ? {} : { name: { eq: name } }),
        ...(image === undefined ? {} : { image: { eq: image } }),
      };
      const { findTemplateFilterProblems, templateColumns } = await context.accountRules();
      refuseUsage(command, findTemplateFilterProblems(all));
      if (orderBy !== undefined && !templateColumns.includes(orderBy)) {
        refuseUsage(command, [
          `--order-by ${orderBy}: no such column; there are ${templateColumns.join(', ')}`,
        ]);
      }
      if (context.config().serverUrl !== null) {
        await context.withApi(async (api) => {
          const filters = Object.keys(all).length === 0 ? undefined : JSON.stringify(all);
          const found = await api.listTemplates({ filters, orderBy });
          tell(context, found.items, found.rejected, json);
        });
        return;
      }
      await requestAsPerson(context, async (account) => {
        const { searchTemplates } = present(account.templates, 'manage templates');
        const list = await searchTemplates({ filters: all, orderBy }, { signal: context.signal });
        for (const { reason } of list.rejected) context.note(`A record was rejected: ${reason}`);
        tell(context, list.templates.map(withoutRaw), list.rejected.length, json);
      });
    });
}

/** A template in the API. */
type Shown = Omit<Template, 'raw' | 'createdAt' | 'lastUsedAt'>;

function tell(
  context: TemplatesContext,
  templates: readonly Shown[],
  rejected: number,
  json: true | undefined,
): void {
  context.print(json ? JSON.stringify({ templates, rejected }) : tableOf(templates));
  if (rejected === 0) return;
  context.note(`Records that made no sense and are left out: ${rejected}.`);
  context.exitWith(exitCodes.partial);
}

function createTemplate(context: TemplatesContext): Command {
  const command = new Command('create')
    .description('create a template in the account')
    .requiredOption('--name <name>', 'name')
    .requiredOption('--image <image>', 'container image');
  return addTemplateOptions(command)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook templates create --name trainer --image pytorch/pytorch --onstart start.sh ' +
        '--compress-onstart --env "-e EPOCHS=3 -p 8080:8080"',
    )
    .action(async ({ json, ...given }: DraftOptions, self: Command) => {
      const ready = await readyBody(context, self, given);
      await actOnTemplates(context, async (api) => {
        const { templateId, hashId } = await api.createTemplate({
          body: ready.body as BodyOf<'createTemplate'>,
        });
        const answer = { templateId, hashId, onstartCharacters: ready.onstartCharacters };
        const line = `Created template ${templateId}. Rent with its hash ${hashId}.`;
        context.print(json ? JSON.stringify(answer) : line);
      });
    });
}

function editTemplate(context: TemplatesContext): Command {
  const command = new Command('edit')
    .description('change fields of a template; its hash changes')
    .argument('<hash>', 'hash, as `templates search` shows it')
    .option('--name <name>', 'name')
    .option('--image <image>', 'container image');
  return addTemplateOptions(command)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook templates edit 4e17788f74f075dd9aab7d0d4427968f --tag 2.9.0 --disk 32',
    )
    .action(async (hash: string, { json, ...given }: DraftOptions, self: Command) => {
      const ready = await readyBody(context, self, given, hash);
      await actOnTemplates(context, async (api) => {
        const { hashId } = await api.updateTemplate({ id: hash, body: ready.body });
        const answer = { hashId, onstartCharacters: ready.onstartCharacters };
        context.print(json ? JSON.stringify(answer) : `Updated the template. Its hash is now ${hashId}.`);
      });
    });
}

function deleteTemplate(context: TemplatesContext): Command {
  return new Command('delete')
    .description('delete a template; its instances are kept')
    .argument('<id>', 'id, as `templates search` shows it (not the hash)', readId)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook templates delete 1042')
    .action(async (templateId: number, { json }: { json?: true }) => {
      await actOnTemplates(context, async (api) => {
        await api.deleteTemplate({ id: templateId });
        context.print(json ? JSON.stringify({ templateId }) : `Deleted template ${templateId}.`);
      });
    });
}

type DraftOptions = TemplateOptions & { json?: true };

/** Returns the checked fields; wrong ones end the command as wrong usage before any call of the market. */
async function readyBody(
  context: TemplatesContext,
  command: Command,
  given: TemplateOptions,
  hash?: string,
): Promise<{ body: object; onstartCharacters: number | null }> {
  const fields = await readTemplateOptions(meantHere(command, given), context.signal);
  const rules = await context.accountRules();
  const compressOnstart = given.compressOnstart === true;
  const { readyTemplate } = await import('./template-actions.ts');
  const ready = readyTemplate(fields, { compress: compressOnstart, rules });
  const hashProblem = hash === undefined ? null : rules.findHashProblem(hash);
  refuseUsage(command, [
    ...(hashProblem === null ? [] : [hashProblem]),
    ...(Object.keys(fields).length === 0 ? ['There is nothing to change: give at least one field.'] : []),
    ...ready.problems,
  ]);
  return { body: { ...fields, compressOnstart }, onstartCharacters: ready.fields.onstart?.length ?? null };
}

/** A password file from the environment, set for other templates, is ignored for a template without a registry. */
function meantHere(command: Command, given: TemplateOptions): TemplateOptions {
  const isFromOutside = command.getOptionValueSource('registryPasswordFile') === 'env';
  if (!isFromOutside || given.registryUser !== undefined) return given;
  const { registryPasswordFile: _unused, ...others } = given;
  return others;
}

function refuseUsage(command: Command, problems: readonly string[]): void {
  if (problems.length === 0) return;
  command.error(problems.join('\n'), { exitCode: exitCodes.usage, code: 'offerbook.refused' });
}

/** Changes templates over the API, which records each change in the audit log. */
async function actOnTemplates(context: TemplatesContext, work: (api: Api) => Promise<void>): Promise<void> {
  const { market, serverUrl } = context.config();
  if (market === null && serverUrl === null) {
    throw new UserError(
      'Only a running service changes the account of the built-in simulator, with its templates. To have one here, run ' +
        '`offerbook simulate --api-key KEY --state FILE` and set MARKET_URL, MARKET_API_KEY and ACTIONS=on.',
    );
  }
  await context.withApi(work);
}

const withoutRaw = ({ raw: _raw, ...template }: Template): Omit<Template, 'raw'> => template;

function tableOf(templates: readonly Shown[]): string {
  const rows = templates.map((template) => [
    template.templateId,
    template.hashId ?? '',
    printable(template.name),
    printable(template.tag === null ? template.image : `${template.image}:${template.tag}`),
    printable(template.runtype ?? ''),
    template.recommendedDiskGb ?? '',
    template.isPrivate === null ? '' : template.isPrivate ? 'private' : 'public',
  ]);
  return formatTable(['Id', 'Hash', 'Name', 'Image', 'Runtype', 'Disk, GB', 'Visibility'], rows, [0, 5]);
}

/** Names come from strangers, so their control characters must not reach the terminal. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\u{fffd}');

function readId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('expected the number, not the hash.');
  return Number(text);
}
