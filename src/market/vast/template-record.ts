import type { FilterCondition, MarketFilters } from '../../core/market-filter.ts';
import type { Template } from '../template.ts';
import { amountOf, dateOf, idFrom, switchOf, textOf } from '../wire/record-fields.ts';
import { isRecord, type RecordFields, type RowReading } from '../wire/record-rows.ts';

/**
 * Reads one template record. `id`, `name` and `image` are required, or only `id` if fewer columns were requested; any
 * other unreadable field is null. Source: docs/marketplace.md#23-template.
 */
export function readTemplateRecord(row: RecordFields, raw: string): RowReading<Template> {
  const templateId = idFrom(row.id);
  if (templateId === null) return { rejected: row.id === undefined ? 'id: missing' : 'id: not readable' };
  const { name, image } = row;
  if (typeof name !== 'string') return { rejected: 'name: missing' };
  if (typeof image !== 'string') return { rejected: 'image: missing' };
  return {
    templateId,
    hashId: textOf(row.hash_id),
    name,
    image,
    tag: textOf(row.tag) ?? textOf(row.default_tag),
    description: textOf(row.desc),
    readme: textOf(row.readme),
    env: textOf(row.env),
    onstart: textOf(row.onstart),
    runtype: textOf(row.runtype),
    args: textOf(row.args_str),
    useSsh: switchOf(row.use_ssh),
    sshDirect: switchOf(row.ssh_direct),
    jupyterDirect: switchOf(row.jup_direct),
    jupyterDir: textOf(row.jupyter_dir),
    useJupyterLab: switchOf(row.use_jupyter_lab),
    dockerLoginRepo: textOf(row.docker_login_repo),
    href: textOf(row.href),
    repo: textOf(row.repo),
    extraFilters: filtersOf(row.extra_filters),
    recommendedDiskGb: amountOf(row.recommended_disk_space),
    isPrivate: switchOf(row.private),
    isRecommended: switchOf(row.recommended),
    creatorId: idFrom(row.creator_id),
    instancesCreated: idFrom(row.count_created),
    createdAt: dateOf(row.created_at),
    lastUsedAt: dateOf(row.recent_create_date),
    raw,
  };
}

/** Returns the filters as an object, even if the market stores them as text. */
function filtersOf(value: unknown): MarketFilters | null {
  const filters = typeof value === 'string' ? parsed(value) : value;
  if (!isRecord(filters)) return null;
  const conditions = Object.entries(filters).filter((entry): entry is [string, FilterCondition] =>
    isRecord(entry[1]),
  );
  return Object.fromEntries(conditions);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
