import { readFile } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { UserError } from '../../core/errors.ts';
import type { MarketFilters } from '../../core/market-filter.ts';
import { type Runtype, runtypes, type TemplateDraft } from '../../market/template.ts';

/** Values of the options of `templates create` and `templates edit`. */
export interface TemplateOptions {
  name?: string;
  image?: string;
  tag?: string;
  description?: string;
  readme?: string;
  env?: string;
  onstart?: string;
  compressOnstart?: true;
  runtype?: Runtype;
  args?: string;
  ssh?: boolean;
  sshDirect?: boolean;
  jupyterDirect?: boolean;
  jupyterDir?: string;
  jupyterLab?: boolean;
  registry?: string;
  registryUser?: string;
  registryPasswordFile?: string;
  href?: string;
  repo?: string;
  extraFilters?: MarketFilters;
  disk?: number;
  private?: boolean;
}

/** Adds the options of a template's fields except name and image. */
export function addTemplateOptions(command: Command): Command {
  return command
    .option('--tag <tag>', "the image's tag")
    .option('--description <text>', 'description')
    .option('--readme <file>', 'file with the README; - reads stdin')
    .option('--env <flags>', 'environment variables and ports: "-e NAME=value -p host:container"')
    .option('--onstart <file>', 'file with the start script, at most 4048 characters; - reads stdin')
    .option('--compress-onstart', 'compress a longer start script into one line that unpacks and runs it')
    .addOption(new Option('--runtype <how>', 'how to connect to instances').choices(runtypes))
    .option('--args <text>', "arguments of the image's command")
    .option('--ssh <state>', 'on or off: allow SSH', readSwitch)
    .option('--ssh-direct <state>', 'on or off: direct SSH to the machine', readSwitch)
    .option('--jupyter-direct <state>', 'on or off: direct Jupyter to the machine', readSwitch)
    .option('--jupyter-dir <path>', 'directory that Jupyter opens')
    .option('--jupyter-lab <state>', 'on or off: open JupyterLab', readSwitch)
    .option('--registry <address>', 'private registry of the image')
    .option('--registry-user <user>', 'user name at the private registry')
    .addOption(
      new Option(
        '--registry-password-file <file>',
        'file with the password or access token of the registry user',
      ).env('REGISTRY_PASSWORD_FILE'),
    )
    .option('--href <address>', 'web address with more about it')
    .option('--repo <address>', 'web address of its source code')
    .option('--extra-filters <json>', "conditions on offers, in the market's field names", readFilters)
    .option('--disk <gb>', 'recommended disk size, GB', readGb)
    .option('--private <state>', 'on or off: hide it from others', readSwitch);
}

/** Returns the fields that the given options set. Throws UserError for files that cannot be read. */
export async function readTemplateOptions(
  given: TemplateOptions,
  signal: AbortSignal,
): Promise<Partial<TemplateDraft>> {
  if (given.onstart === '-' && given.readme === '-') {
    throw new UserError('--onstart and --readme cannot both read stdin: give one of them as a file.');
  }
  const content = async (option: string, path: string | undefined) =>
    path === undefined ? undefined : await readContent(option, path, signal);
  const fields: Partial<TemplateDraft> = {
    ...(given.name === undefined ? {} : { name: given.name }),
    ...(given.image === undefined ? {} : { image: given.image }),
    tag: given.tag,
    description: given.description,
    readme: await content('--readme', given.readme),
    env: given.env,
    onstart: await content('--onstart', given.onstart),
    runtype: given.runtype,
    args: given.args,
    useSsh: given.ssh,
    sshDirect: given.sshDirect,
    jupyterDirect: given.jupyterDirect,
    jupyterDir: given.jupyterDir,
    useJupyterLab: given.jupyterLab,
    dockerLoginRepo: given.registry,
    dockerLoginUser: given.registryUser,
    dockerLoginPass: await readPassword(given, signal),
    href: given.href,
    repo: given.repo,
    extraFilters: given.extraFilters,
    recommendedDiskGb: given.disk,
    isPrivate: given.private,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Parses conditions by the market's field names from JSON text; their contents are checked later. */
export function readFilters(text: string): MarketFilters {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as MarketFilters;
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw new InvalidArgumentError('expected JSON like {"num_gpus": {"gte": 2}}.');
}

async function readPassword(given: TemplateOptions, signal: AbortSignal): Promise<string | undefined> {
  const { registryPasswordFile: file } = given;
  if (file === undefined) return undefined;
  const password = (await readContent('--registry-password-file', file, signal)).replace(/\r?\n$/, '');
  if (password === '') throw new UserError(`--registry-password-file ${file}: the file is empty.`);
  return password;
}

async function readContent(option: string, path: string, signal: AbortSignal): Promise<string> {
  if (path === '-') return await readText(process.stdin);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path, { signal });
  } catch (cause) {
    throw new UserError(`${option} ${path}: the file cannot be read; check the path.`, { cause });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new UserError(`${option} ${path}: the file is not text in UTF-8.`, { cause });
  }
}

function readSwitch(text: string): boolean {
  if (text === 'on') return true;
  if (text === 'off') return false;
  throw new InvalidArgumentError('expected on or off.');
}

function readGb(text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(number) || number <= 0) throw new InvalidArgumentError('expected GB above 0.');
  return number;
}
