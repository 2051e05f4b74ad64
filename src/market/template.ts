import type { MarketFilters } from '../core/market-filter.ts';
import type { InstanceEnv } from './env-flags.ts';

/** How an instance is reached. Source: docs/marketplace.md#23-template. */
export const runtypes = ['ssh', 'jupyter', 'args'] as const;
export type Runtype = (typeof runtypes)[number];

/**
 * Stored defaults for new instances. Search shows at least id, name and image; null: not said. The
 * registry's password is dropped. Source: docs/marketplace.md#23-template.
 */
export interface Template {
  /** What deleting goes by. */
  templateId: number;
  /** What creating instances and editing go by; changes at every edit. */
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
  /** The record as delivered, JSON text, secrets dropped. */
  raw: string;
}

/** The fields that a template is made of; what is left out takes the market's default. */
export interface TemplateDraft {
  name: string;
  image: string;
  /** @default `latest` */
  tag?: string | undefined;
  description?: string | undefined;
  readme?: string | undefined;
  /** A flag string or the variables and ports themselves. */
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
