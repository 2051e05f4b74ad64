import type { Command } from 'commander';

/**
 * Options that users of similar programs type, with the one that is meant: the first that the command has. A setting is
 * meant where the name is in capitals.
 */
export const otherOptions: Readonly<Record<string, readonly string[]>> = {
  '--model --gpu --gpu-model --gpu-type --card': ['--gpu-name', '--filter gpuName="RTX 4090"'],
  '--gpus --num-gpus --gpu-count': ['--filter numGpus=2'],
  '--price --max-price --max-usd --usd': ['--max', '--filter maxUsdPerHour=0.5', '--param usd=0.3'],
  '--below --threshold': ['--param usd=0.3', '--filter maxUsdPerHour=0.5'],
  '--region --country --location --geolocation': ['--filter country=DE'],
  '--vram --min-vram --memory --gpu-ram': ['--filter minVramGb=24'],
  '--reliability --min-reliability': ['--filter minReliability=0.98'],
  '--verified --verification': ['--filter verification=verified'],
  '--cuda --min-cuda': ['--filter minCuda=12.4'],
  '--machine --machine-id': ['--filter machineId=12345'],
  '--spot --interruptible --on-demand --pricing': ['--type', '--bid'],
  '--top --limit --max-results --first --rows -n': ['--limit', '--top'],
  '--sort --sort-by --order --order-by --by --rank-by --metric': ['--rank-by', '--metric', '--group-by'],
  '--group': ['--group-by'],
  '--format --output-format': ['--format', '--json'],
  '--output --file -o': ['--out', '--json'],
  '--since --start --start-date --after': ['--from'],
  '--until --end --end-date --before': ['--to'],
  '--timezone --tz': ['--time-zone'],
  '--interval --step --granularity --resolution': ['--bucket', '--cron'],
  '--provider --marketplace': ['--market'],
  '--storage --disk-size --disk --disk-gb': ['--disk', '--profile storageGb=100', '--filter minDiskGb=100'],
  '--hours --duration --ttl': ['--max-hours', '--hours', '--profile runningHours=10'],
  '--schedule --every': ['--cron'],
  '--notify --email --slack --webhook --to': ['--channel', '--kind'],
  '--docker-image -i': ['--image'],
  '--script --startup-script': ['--onstart'],
  '--idempotency-key': ['--key'],
  '--preview --what-if': ['--dry-run'],
  '--yes --confirm --force -y -f': ['--yes', '--confirm', '--force', '--replace'],
  '-v -V': ['--version'],
  '--port -p': ['--port', 'PORT'],
  '--data-dir --data': ['DATA_DIR'],
  '--database --database-url --db': ['DATABASE_URL'],
  '--url --server': ['OFFERBOOK_URL'],
  '--token': ['OFFERBOOK_TOKEN'],
  '--api-key --key': ['--api-key', 'MARKET_API_KEY'],
  '--verbose --debug --log-level': ['LOG_LEVEL'],
};

/** Commands that users of similar programs type, with the one that is meant: the first that the group has. */
export const otherCommands: Readonly<Record<string, readonly string[]>> = {
  'ls list all': ['list', 'offers', 'search'],
  'add new create': ['add', 'create', 'set', 'rent'],
  'rm remove delete del': ['remove', 'delete', 'revoke', 'destroy'],
  'edit update change modify set': ['edit', 'set', 'label', 'crawl'],
  'get info view describe show': ['show', 'status', 'list'],
  'search find market': ['offers', 'search', 'list'],
  'gpus prices cards': ['models'],
  'price history chart graph': ['trends'],
  'best cheapest top ranking rankings deal': ['rank'],
  'predict prediction': ['forecast'],
  wait: ['wait-or-rent'],
  'watches alerts alert notify': ['watch', 'alerts', 'rule'],
  'notifications messages': ['channel'],
  'run launch up buy order book': ['rent'],
  'ps instance vms machines': ['instances'],
  'connect shell exec attach': ['ssh'],
  pause: ['stop'],
  'resume unpause': ['start-instance'],
  'kill terminate down': ['destroy'],
  'disks storage': ['volumes'],
  'images image': ['templates'],
  'cost costs bill bills billing usage money': ['spend'],
  'invoices charges': ['spend', 'crawl invoices'],
  balance: ['balances', 'spend balances'],
  'compare market-comparison': ['vs-market', 'spend vs-market'],
  'limit limits cap': ['budget'],
  'serve server web ui dashboard': ['start'],
  'login log-in signin sign-in auth': ['token login', 'login'],
  'user users key keys': ['token'],
  'sync refresh fetch scrape pull': ['crawl'],
  'health ping check': ['status', 'verify', 'test'],
  'settings env': ['config check'],
  'diagnose probe': ['doctor'],
  'dump save': ['backup'],
  'upgrade schema': ['migrate'],
  'mock simulator fake demo': ['simulate'],
  'autocomplete completions': ['completion'],
  version: ['--version'],
};

/** Returns what is meant by an option that the command does not have, as a sentence; null if it is not in the table. */
export function suggestOption(typed: string, command: Command): string | null {
  const names = command.options.flatMap(({ long, short }) => [long, short]);
  const meant = meantBy(otherOptions, typed).find(
    (each) => names.includes(each.split(' ')[0]) || isSetting(each),
  );
  if (meant === undefined) return null;
  return isSetting(meant) ? `Set ${meant} in the environment instead.` : `Did you mean ${meant}?`;
}

/** Returns what is meant by a command that the group does not have, as a sentence; null if it is not in the table. */
export function suggestCommand(typed: string, group: Command): string | null {
  const has = (name: string | undefined): boolean =>
    group.commands.some((child) => child.name() === name || child.aliases().includes(name ?? '')) ||
    group.options.some(({ long }) => long === name);
  const meant = meantBy(otherCommands, typed).find((each) => has(each.split(' ')[0]));
  return meant === undefined ? null : `Did you mean ${meant}?`;
}

const isSetting = (name: string): boolean => /^[A-Z]/.test(name);

const meantBy = (table: typeof otherOptions, typed: string): readonly string[] =>
  Object.entries(table).flatMap(([names, meant]) => (names.split(' ').includes(typed) ? meant : []));
