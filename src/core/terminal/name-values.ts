import { InvalidArgumentError } from 'commander';

/** Values by name; a repeated name has several. */
export type NameValues = Record<string, string[]>;

/** Adds `name=value` to the values before it, for options that can be repeated. */
export function collectNameValue(text: string, before: NameValues = {}): NameValues {
  const equals = text.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError('Expected name=value.');
  const [name, value] = [text.slice(0, equals), text.slice(equals + 1)];
  return { ...before, [name]: [...(before[name] ?? []), value] };
}
