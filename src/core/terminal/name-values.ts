import { InvalidArgumentError } from 'commander';

/** Values by name, each as often as it was given. */
export type NameValues = Record<string, string[]>;

/** `name=value` beside those before it, for options that can be repeated. */
export function collectNameValue(text: string, before: NameValues = {}): NameValues {
  const equals = text.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError('expected name=value.');
  const [name, value] = [text.slice(0, equals), text.slice(equals + 1)];
  return { ...before, [name]: [...(before[name] ?? []), value] };
}
