import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/** A Parquet file as DuckDB reads it: types by column, and rows as text or null. */
export async function readParquet(
  file: Buffer,
): Promise<{ types: Record<string, string>; rows: Record<string, string | null>[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-parquet-'));
  try {
    const path = join(folder, 'file.parquet');
    await writeFile(path, file);
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run("set timezone = 'UTC'");
    const described = await connection.runAndReadAll(`describe select * from read_parquet('${path}')`);
    const types = Object.fromEntries(
      described.getRowObjectsJson().map((row) => [row.column_name, row.column_type]),
    );
    const names = Object.keys(types).map((name) => `"${name}"::varchar as "${name}"`);
    const read = await connection.runAndReadAll(`select ${names.join(', ')} from read_parquet('${path}')`);
    const rows = read.getRowObjectsJson() as Record<string, string | null>[];
    connection.closeSync();
    instance.closeSync();
    return { types: types as Record<string, string>, rows };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
