import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const checkout = join(import.meta.dirname, '../..');

/** One instruction of a Dockerfile, its continued lines joined. */
export interface Instruction {
  name: string;
  args: string;
}

export interface Stage {
  name: string;
  /** The image that it begins with, as its ARG says. */
  base: string;
  instructions: Instruction[];
}

/** Returns the stages of the Dockerfile, with the values of its ARGs. */
export function readDockerfile(): Stage[] {
  const text = readFileSync(join(checkout, 'Dockerfile'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ');
  const values = new Map<string, string>();
  const stages: Stage[] = [];
  for (const line of text.split('\n')) {
    const [, name = '', args = ''] = /^([A-Z]+) +(.*)$/.exec(line.trim()) ?? [];
    if (name === 'ARG') {
      const [key = '', value = ''] = args.split('=');
      values.set(key, value);
    } else if (name === 'FROM') {
      const [image = '', , stage = ''] = args.split(' ');
      const base = image.replaceAll(/\$\{(\w+)\}/g, (_, key: string) => values.get(key) ?? '');
      stages.push({ name: stage, base, instructions: [] });
    } else if (name !== '') stages.at(-1)?.instructions.push({ name, args });
  }
  return stages;
}

/** Returns the words of an ENV instruction by variable. */
export const envOf = ({ instructions }: Stage): Record<string, string> =>
  Object.fromEntries(
    instructions
      .filter(({ name }) => name === 'ENV')
      .flatMap(({ args }) => args.split(/ +/).map((word) => word.split('=') as [string, string])),
  );

/** Returns the words of the command that an instruction runs: CMD, or HEALTHCHECK's. */
export function commandOf({ instructions }: Stage, name: 'CMD' | 'HEALTHCHECK'): string[] {
  const args = instructions.find((each) => each.name === name)?.args ?? '[]';
  return JSON.parse(args.slice(args.indexOf('['))) as string[];
}

/** Whether .dockerignore lets a path of the checkout into the image's build. */
export function isInContext(path: string): boolean {
  let isIn = true;
  for (const rule of ignoreRules()) {
    const named = rule.replace(/^!/, '');
    if (named === '*' || path === named || path.startsWith(`${named}/`)) isIn = rule.startsWith('!');
  }
  return isIn;
}

/** Whether .dockerignore lets something below a folder of the checkout in. */
export const mayHoldContext = (folder: string): boolean =>
  ignoreRules().some((rule) => rule.startsWith(`!${folder}/`));

const ignoreRules = (): string[] => readFileSync(join(checkout, '.dockerignore'), 'utf8').trim().split('\n');
