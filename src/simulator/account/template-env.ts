import { InvalidArgs } from '../invalid-args.ts';

/**
 * Variables by name, and port mappings as `-p host:container` with the value `1`.
 * Source: docs/marketplace.md#43-create-an-instance.
 */
export type Environment = Readonly<Record<string, string>>;

const variableName = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
const portMapping = /^(\d{1,5}):(\d{1,5})(?:\/(?:tcp|udp))?$/;

/** Parses a template's flag string, `-e NAME=value -p 8080:80`, quoted like in a shell. Throws InvalidArgs. */
export function parseEnvFlags(flags: string): Environment {
  const words = splitWords(flags);
  const environment: Record<string, string> = {};
  for (let index = 0; index < words.length; index += 2) {
    const [flag, operand] = [words[index], words[index + 1]];
    if (operand === undefined) throw new InvalidArgs(`env: nothing follows ${String(flag)}`);
    if (flag === '-e') {
      const equals = operand.indexOf('=');
      const name = operand.slice(0, Math.max(0, equals));
      if (!variableName.test(name)) throw new InvalidArgs(`env: -e takes NAME=value, not ${operand}`);
      environment[name] = operand.slice(equals + 1);
    } else if (flag === '-p') {
      if (!isPortMapping(operand)) throw new InvalidArgs(`env: -p takes host:container, not ${operand}`);
      environment[`-p ${operand}`] = '1';
    } else {
      throw new InvalidArgs(`env: ${String(flag)} is neither -e nor -p`);
    }
  }
  return environment;
}

/** Reads the `env` object of a request. Throws InvalidArgs for a value that is not a string and an invalid name. */
export function readEnvironment(given: Readonly<Record<string, unknown>>): Environment {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'string') throw new InvalidArgs(`env: the value of ${name} must be a string`);
    if (name.startsWith('-')) {
      if (!name.startsWith('-p ') || !isPortMapping(name.slice(3)) || value !== '1') {
        throw new InvalidArgs(
          `env: a port mapping is the key "-p host:container" with the value "1", not ${name}`,
        );
      }
    } else if (!variableName.test(name)) {
      throw new InvalidArgs(`env: ${JSON.stringify(name)} is not a variable name`);
    }
    environment[name] = value;
  }
  return environment;
}

function isPortMapping(text: string): boolean {
  const ports = portMapping.exec(text)?.slice(1, 3).map(Number);
  return ports?.every((port) => port >= 1 && port <= 65_535) ?? false;
}

/** Splits words like a shell: by blanks, with quotes and backslashes. */
function splitWords(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\\' && quote !== "'" && at + 1 < text.length) {
      at += 1;
      word = (word ?? '') + text.charAt(at);
    } else if (quote !== null) {
      if (char === quote) quote = null;
      else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (quote !== null) throw new InvalidArgs(`env: a ${quote} is never closed`);
  if (word !== null) words.push(word);
  return words;
}
