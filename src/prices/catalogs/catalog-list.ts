import { z } from 'zod';

const namedSource = /^([\w-]{1,100})=(\S+)$/;
const partsOf = (text: string): string[] => text.split(/\s+/).filter((part) => part !== '');

/** Setting with the address or file of each seller's catalog, by seller. */
export const catalogList = z
  .string()
  .refine(
    (text) => partsOf(text).every((part) => namedSource.test(part)),
    'expected NAME=ADDRESS or NAME=FILE of each catalog, separated by blanks',
  )
  .transform((text): ReadonlyMap<string, string> => new Map(partsOf(text).map(splitSource)));

function splitSource(part: string): [name: string, source: string] {
  const [, name = '', source = ''] = namedSource.exec(part) ?? [];
  return [name, source];
}
