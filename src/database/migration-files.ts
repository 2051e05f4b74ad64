import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { programFile } from '../core/program-file.ts';

const migrationsFolder = programFile('migrations/');

/** A step of the schema. */
export interface Migration {
  name: string;
  hash: string;
  statements: string[];
}

/** Returns name and hash of every migration that this program knows, in order. */
export const knownMigrations = (): { name: string; hash: string }[] =>
  readMigrations().map(({ name, hash }) => ({ name, hash }));

/** Returns every migration that this program knows, in order. */
export function readMigrations(): Migration[] {
  const journal = JSON.parse(readFileSync(`${migrationsFolder}meta/_journal.json`, 'utf8')) as {
    entries: { tag: string }[];
  };
  return journal.entries.map(({ tag }) => {
    const text = readFileSync(`${migrationsFolder}${tag}.sql`, 'utf8');
    return {
      name: tag,
      hash: createHash('sha256').update(text).digest('hex'),
      statements: text.split('--> statement-breakpoint'),
    };
  });
}
