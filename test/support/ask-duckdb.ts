import { DuckDBInstance } from '@duckdb/node-api';

/** Runs statements of DuckDB in UTC and returns the rows of the last one, values as text, numbers or null. */
export async function askDuckDb(statements: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run("set timezone = 'UTC'");
    return (await connection.runAndReadAll(statements)).getRowObjectsJson() as Record<string, unknown>[];
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
