import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = process.env.OFFERBOOK_DATA ?? join(import.meta.dirname, '../../../shared/data');

/** Whether the recorded real offers are beside the checkout; in CI their absence is an error. */
export const hasRecordedData = existsSync(root);
if (!hasRecordedData && process.env.CI === 'true') {
  throw new Error(`Recorded data is missing at ${root}: in CI no test that needs it may be skipped.`);
}

const files = (folder: string, ending: string): string[] =>
  hasRecordedData
    ? readdirSync(join(root, folder))
        .filter((name) => name.endsWith(ending))
        .sort()
        .map((name) => join(root, folder, name))
    : [];

/** The 12 daily books, JSON lines. */
export const marketBookFiles = files('market-books', '.jsonl.gz');
/** The 5 search responses with complete records. */
export const fullOfferFiles = files('full-offers', '.json.gz');
export const expectedCsv = join(root, 'market-books/expected.csv');
