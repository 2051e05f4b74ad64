import { InvalidArgumentError } from 'commander';

/** Parses an option's number above 0. */
export function above0(text: string): number {
  const value = from0(text);
  if (value > 0) return value;
  throw new InvalidArgumentError('Give a number above 0.');
}

/** Parses an option's number that is not negative. */
export function from0(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value;
  throw new InvalidArgumentError('Give 0 or a number above it.');
}

/** Parses an option's whole number. */
export const wholeFrom =
  (min: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isInteger(value) && value >= min) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min}.`);
  };
