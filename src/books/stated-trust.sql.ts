import { z } from '@hono/zod-openapi';
import type { Db } from '../database/connection.ts';

const trustNames = ['verification', 'reliability'] as const;

/** What newest books state about how far to trust machines, in API responses. */
export const TrustSchema = z.array(z.enum(trustNames)).openapi({
  description: 'What the newest books state of any machine: whether it is verified, how reliable it is',
});

/** Returns what the offers of newest books state; empty: no book, or neither. */
export async function statedTrust(
  db: Db,
  books: readonly { id: number }[],
): Promise<z.infer<typeof TrustSchema>> {
  const ids = books.map(({ id }) => id);
  const [stated] = await db<Record<(typeof trustNames)[number], boolean>[]>`
    select exists (select from latest_offer where book_id = any(${ids}::int[])
        and verification_tier_id is not null) as verification,
      exists (select from latest_offer where book_id = any(${ids}::int[]) and reliability is not null) as reliability`;
  return trustNames.filter((name) => stated?.[name] === true);
}
