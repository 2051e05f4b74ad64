import { InvalidArgumentError } from 'commander';

type Values = Record<string, string>;

/** Adds `name=value` to the values before it. */
export function collectOne(text: string, before: Values = {}): Values {
  const equals = text.indexOf('=');
  const [name, value] = [text.slice(0, equals).trim(), text.slice(equals + 1)];
  if (equals < 1 || value === '') throw new InvalidArgumentError('Expected field=value.');
  if (before[name] !== undefined) throw new InvalidArgumentError(`\`${name}\` is given twice.`);
  return { ...before, [name]: value };
}

/** Adds `field=column`, or several divided by commas, to those before. */
export const collectColumns = (text: string, before: Values = {}): Values =>
  // A comma within a column's name has no `field=` behind it.
  text.split(/,(?=\s*\w+=)/).reduce((all, one) => collectOne(one, all), before);
