import type { MarketFilters } from '../core/market-filter.ts';
import type { CallOptions } from './call.ts';
import type { InstanceEnv } from './env-flags.ts';
import type { RejectedRow } from './instance.ts';

/** How an instance is reached. Source: docs/marketplace.md#23-template. */
export const runtypes = ['ssh', 'jupyter', 'args'] as const;
export type Runtype = (typeof runtypes)[number];

/**
 * Stored defaults for new instances. Search returns at least id, name and image; null: not stated. Without the
 * registry's password. Source: docs/marketplace.md#23-template.
 */
export interface Template {
  /** Used to delete it. */
  templateId: number;
  /** Used to create instances and to edit it; changes with every edit. */
  hashId: string | null;
  name: string;
  image: string;
  tag: string | null;
  description: string | null;
  readme: string | null;
  /** Flag string, `-e NAME=value -p host:container`: see `parseEnvFlags`. */
  env: string | null;
  onstart: string | null;
  /** As delivered; `ssh`, `jupyter` or `args`. */
  runtype: string | null;
  args: string | null;
  useSsh: boolean | null;
  sshDirect: boolean | null;
  jupyterDirect: boolean | null;
  jupyterDir: string | null;
  useJupyterLab: boolean | null;
  dockerLoginRepo: string | null;
  href: string | null;
  repo: string | null;
  extraFilters: MarketFilters | null;
  recommendedDiskGb: number | null;
  isPrivate: boolean | null;
  isRecommended: boolean | null;
  creatorId: number | null;
  instancesCreated: number | null;
  createdAt: Date | null;
  lastUsedAt: Date | null;
  /** The record as delivered, JSON text, without secrets. */
  raw: string;
}

/** The fields of a template; omitted ones take the market's default. */
export interface TemplateDraft {
  name: string;
  image: string;
  /** @default `latest` */
  tag?: string | undefined;
  description?: string | undefined;
  readme?: string | undefined;
  /** A flag string, or variables and ports. */
  env?: string | InstanceEnv | undefined;
  /** At most 4048 characters. */
  onstart?: string | undefined;
  /** @default `args` */
  runtype?: Runtype | undefined;
  args?: string | undefined;
  useSsh?: boolean | undefined;
  sshDirect?: boolean | undefined;
  jupyterDirect?: boolean | undefined;
  jupyterDir?: string | null | undefined;
  useJupyterLab?: boolean | undefined;
  /** Private registry: address, user and access token, all or none. @default '' */
  dockerLoginRepo?: string | undefined;
  dockerLoginUser?: string | undefined;
  dockerLoginPass?: string | undefined;
  href?: string | undefined;
  repo?: string | undefined;
  extraFilters?: MarketFilters | undefined;
  /** @default 8 */
  recommendedDiskGb?: number | undefined;
  isPrivate?: boolean | undefined;
}

/** Selects templates: the account's own and public ones. */
export interface TemplateQuery {
  /** The template with this hash. */
  hashId?: string | undefined;
  /** By the market's field names, `{ name: { eq: 'x' } }`. */
  filters?: MarketFilters | undefined;
  /** Omitted: all; otherwise `id`, `name` and `image` are requested too. */
  columns?: readonly string[] | undefined;
  /** The market's column name. */
  orderBy?: string | undefined;
}

/** Templates found. */
export interface TemplateList {
  templates: Template[];
  rejected: RejectedRow[];
  /** The market's total; null: not stated. */
  found: number | null;
  replacedCharacters: number;
}

/** The calls about templates. All throw MarketError; wrong arguments are a UserError before anything is sent. */
export interface TemplateCalls {
  searchTemplates: (query?: TemplateQuery, options?: CallOptions) => Promise<TemplateList>;
  createTemplate: (
    draft: TemplateDraft,
    options?: CallOptions,
  ) => Promise<{ templateId: number; hashId: string }>;
  /** Changes only the given fields; the template then has the new hash of the response. */
  editTemplate: (
    hashId: string,
    changes: Partial<TemplateDraft>,
    options?: CallOptions,
  ) => Promise<{ hashId: string }>;
  /** By the numeric id, not the hash. */
  deleteTemplate: (templateId: number, options?: CallOptions) => Promise<void>;
}
