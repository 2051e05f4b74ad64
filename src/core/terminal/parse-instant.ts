import { InvalidArgumentError } from 'commander';
import { readMoment } from '../calendar-date.ts';

/** Parses the moment of an option, a time with its zone. Throws InvalidArgumentError for anything else. */
export function parseInstant(value: string): Date {
  const instant = /T/i.test(value) ? readMoment(value, 'UTC') : null;
  if (instant === null) {
    throw new InvalidArgumentError(
      'expected a time that the calendar has, with its zone, like 2026-07-20T05:19:05Z.',
    );
  }
  return instant;
}
