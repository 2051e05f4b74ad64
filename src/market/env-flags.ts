import { UserError } from '../core/errors.ts';
import { quoteWord, splitWords } from './shell-words.ts';

/**
 * The environment of an instance in a request: values by variable name, and port mappings as the key `-p
 * host:container` with the value `1`. Source: docs/marketplace.md#43-create-an-instance.
 */
export type InstanceEnv = Readonly<Record<string, string>>;

/** A parsed flag string; `rest` are the words that are neither variables nor ports. */
export interface EnvFlags {
  env: InstanceEnv;
  rest: readonly string[];
}

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const portMapping = /^(\d{1,5}):(\d{1,5})(?:\/(?:tcp|udp))?$/;

/** Whether `name` is a variable name that every shell accepts. */
const isVariableName = (name: string): boolean => variableName.test(name);

/** Whether `mapping` is `host:container` with ports 1 to 65535, optionally followed by `/tcp` or `/udp`. */
function isPortMapping(mapping: string): boolean {
  const [, host, container] = portMapping.exec(mapping) ?? [];
  return [host, container].every((port) => Number(port) >= 1 && Number(port) <= 65_535);
}

/**
 * Parses `-e NAME=value -p host:container` as a template stores it, with shell quoting (`-e A='b c'`). The last of
 * repeated names counts. Throws UserError for an unclosed quote. Source: docs/marketplace.md#23-template.
 */
export function parseEnvFlags(text: string): EnvFlags {
  const words = splitWords(text);
  if (words === null) {
    throw new UserError(`The env flags have an unclosed quote: close it, or write \\ before it.`);
  }
  const entries = new Map<string, string>();
  const rest: string[] = [];
  const set = (key: string, value: string): void => {
    entries.delete(key);
    entries.set(key, value);
  };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const flag = /^(-e|--env|-p|--publish)(?:=|$)/.exec(word)?.[1];
    if (flag === undefined) {
      rest.push(word);
      continue;
    }
    const isAttached = word.length > flag.length;
    const value = isAttached ? word.slice(flag.length + 1) : words[at + 1];
    const read = value === undefined ? null : readFlag(flag, value);
    if (read === null) {
      rest.push(word);
      continue;
    }
    set(...read);
    if (!isAttached) at += 1;
  }
  return { env: Object.fromEntries(entries), rest };
}

function readFlag(flag: string, value: string): [key: string, value: string] | null {
  if (flag.startsWith('-p') || flag === '--publish') return [`-p ${value}`, '1'];
  const equals = value.indexOf('=');
  return equals < 1 ? null : [value.slice(0, equals), value.slice(equals + 1)];
}

/** Returns a flag string that `parseEnvFlags` parses to the same flags in the same order; '' if empty. */
export function buildEnvFlags(env: InstanceEnv, rest: readonly string[] = []): string {
  const flags = Object.entries(env).map(([key, value]) => {
    if (key.startsWith('-p ')) return `-p ${quoteWord(key.slice(3))}`;
    return isVariableName(key) ? `-e ${key}=${quoteWord(value, key)}` : `-e ${quoteWord(`${key}=${value}`)}`;
  });
  return [...flags, ...rest.map((word) => quoteWord(word))].join(' ');
}

/** Returns the problems of an environment, one sentence each; none: it can be sent. */
export function findEnvProblems(env: InstanceEnv): string[] {
  return Object.entries(env).flatMap(([key, value]) => {
    if (typeof value !== 'string') return [`env ${key}: the value must be text; write it in quotes`];
    if (value.includes('\0')) return [`env ${key}: the value holds U+0000, which no variable can`];
    if (!key.startsWith('-')) {
      return isVariableName(key) ? [] : [`env "${key}" is not a variable name: use letters, digits and _`];
    }
    if (!key.startsWith('-p ') || !isPortMapping(key.slice(3))) {
      return [`env "${key}" is not a port mapping: write "-p host:container", as in "-p 8080:80"`];
    }
    return value === '1' ? [] : [`env "${key}": a port mapping has the value "1"`];
  });
}
