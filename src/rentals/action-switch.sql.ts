import type { Db } from '../database/connection.ts';

/** How the kill switch stands. */
export interface ActionSwitch {
  enabled: boolean;
  changedAt: Date;
  changedBy: string;
}

/** The kill switch; null: nobody has ever used it, and ACTIONS alone counts. */
export async function readActionSwitch(db: Db): Promise<ActionSwitch | null> {
  const [row] = await db<ActionSwitch[]>`
    select enabled, changed_at as "changedAt", changed_by as "changedBy" from action_switch where id = 1`;
  return row ?? null;
}

/** Turns new rents off or on again, for every process at once. */
export async function setActionSwitch(
  db: Db,
  { enabled, changedAt, changedBy }: ActionSwitch,
): Promise<void> {
  await db`
    insert into action_switch (id, enabled, changed_at, changed_by)
    values (1, ${enabled}, ${changedAt}, ${changedBy})
    on conflict (id) do update set enabled = excluded.enabled, changed_at = excluded.changed_at,
      changed_by = excluded.changed_by`;
}
