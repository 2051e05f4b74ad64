import { createSimulator } from '../src/simulator/simulator.ts';

/** Yields the pages of a simulated book as bytes, like a market: full records, ascending by id. */
export function makeBookPages(wish: { offers: number; rowsPerPage: number; at: Date }): Buffer[] {
  const { offers, rowsPerPage, at } = wish;
  // The simulator's size is approximate: it generates enough offers to cut the book to the requested size.
  const simulator = createSimulator({ offersPerType: Math.ceil(offers * 1.2), cap: offers });
  const answer = simulator.search(
    {
      type: 'on-demand',
      limit: offers,
      order: [['id', 'asc']],
      allocated_storage: 8,
      rentable: { eq: true },
      rented: { eq: false },
      verification: { in: ['verified', 'unverified', 'deverified'] },
    },
    at,
  );
  if (answer.status !== 200) throw new Error(`the simulator refused the search: ${answer.body.msg}`);
  const rows = answer.body.offers;
  if (rows.length < offers) throw new Error(`the simulator has ${rows.length} offers, not ${offers}`);
  const pages = Math.ceil(rows.length / rowsPerPage);
  return Array.from({ length: pages }, (_, page) =>
    Buffer.from(JSON.stringify({ offers: rows.slice(page * rowsPerPage, (page + 1) * rowsPerPage) })),
  );
}
