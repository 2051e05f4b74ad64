import { on } from '../database/builder.ts';
import type { Db } from '../database/connection.ts';
import { eq } from '../database/drizzle.ts';
import { actionSwitch } from '../database/schema/rental.ts';

/** State of the kill switch. */
export type ActionSwitch = Omit<typeof actionSwitch.$inferSelect, 'id'>;

const id = 1;

/** Returns the kill switch; null: it was never used, so only ACTIONS counts. */
export async function readActionSwitch(db: Db): Promise<ActionSwitch | null> {
  const { enabled, changedAt, changedBy } = actionSwitch;
  const asked = on(db).select({ enabled, changedAt, changedBy }).from(actionSwitch);
  const [row] = await asked.where(eq(actionSwitch.id, id));
  return row ?? null;
}

/** Turns new rentals off or on again, in every process at once. */
export async function setActionSwitch(
  db: Db,
  { enabled, changedAt, changedBy }: ActionSwitch,
): Promise<void> {
  const set = { enabled, changedAt, changedBy };
  await on(db)
    .insert(actionSwitch)
    .values({ id, ...set })
    .onConflictDoUpdate({ target: actionSwitch.id, set });
}
