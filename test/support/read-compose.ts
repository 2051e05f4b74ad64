import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** What a service of the compose file says; maps of environment only. */
export interface ComposeService {
  image?: string;
  profiles?: string[];
  user?: string;
  read_only?: boolean;
  tty?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  tmpfs?: string[];
  logging?: { options: Record<string, string> };
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  command?: string[];
  secrets?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  build?: { target: string };
  deploy?: { replicas: number };
}

interface Compose {
  services: Record<string, ComposeService>;
  volumes: Record<string, null>;
  secrets: Record<string, { file: string }>;
}

/** Returns the compose file with its anchors resolved. */
export const readCompose = (): Compose =>
  parse(readFileSync(join(import.meta.dirname, '../../docker-compose.yml'), 'utf8'), {
    merge: true,
  }) as Compose;

/** Returns a service's environment as Compose passes it on where the shell has these variables. */
export const environmentOf = (
  { environment = {} }: ComposeService,
  shell: Record<string, string> = {},
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replaceAll(
        /\$\{(\w+):-([^}]*)\}/g,
        (_, asked: string, fallback: string) => shell[asked] || fallback,
      ),
    ]),
  );
