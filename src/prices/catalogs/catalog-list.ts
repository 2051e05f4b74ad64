import { z } from 'zod';

const namedSource = /^([\w-]{1,100})=(\S+)$/;
const partsOf = (text: string): string[] => text.split(/\s+/).filter((part) => part !== '');

/** A setting that says where the catalog of each seller is: its address or file by the seller's name. */
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
