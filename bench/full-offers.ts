import { createSimulator } from '../src/simulator/simulator.ts';

/** The bytes of a simulated book's pages, as a market would answer them: full records, ascending by id. */
export function makeBookPages(wish: { offers: number; rowsPerPage: number; at: Date }): Buffer[] {
  const { offers, rowsPerPage, at } = wish;
  // The simulator's size is approximate: enough are made that the book can be cut to what was asked for.
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
