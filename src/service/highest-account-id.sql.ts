import type { Sql } from '../database/connection.ts';

/**
 * Returns the highest id that any account in the database gave to an instance or an invoice; 0: none. A simulated
 * account that has lost its state begins above it.
 */
export async function highestAccountId(sql: Sql): Promise<number> {
  const [row] = await sql<{ highest: number }[]>`
    select greatest(
      (select max(instance_id) from instance), (select max(instance_id) from rental),
      (select max(instance_id) from audit_log), (select max(instance_id) from billing_version),
      (select max(invoice_id) from billing_version), 0)::float8 as highest`;
  return row?.highest ?? 0;
}
