import type { Sql } from '../database/connection.ts';

/**
 * Runs the SQL that a library generates: with parameters as `$1`, or several statements with their own BEGIN and COMMIT
 * on a reserved connection. Returns the rows of all of them.
 */
export async function runStatements(
  sql: Sql,
  text: string,
  values: readonly unknown[] = [],
): Promise<{ rows: object[] }> {
  if (values.length > 0) {
    const rows = await sql.unsafe<object[]>(text, values as never[]);
    return { rows: [...rows] };
  }
  if (!/^\s*begin\b/i.test(text)) return { rows: flatten(await sql.unsafe(text)) };
  const db = await sql.reserve();
  try {
    return { rows: flatten(await db.unsafe(text)) };
  } catch (error) {
    await db`rollback`.catch(() => {});
    throw error;
  } finally {
    db.release();
  }
}

/** The driver returns the rows of one statement, or one list for each of several. */
function flatten(answer: readonly unknown[]): object[] {
  return answer.flatMap((part) => (Array.isArray(part) ? (part as object[]) : [part as object]));
}
