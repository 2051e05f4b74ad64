import { expect, it, vi } from 'vitest';
import { createTestApp } from '../../support/test-app.ts';

it('a stream of events ends without a word when the database closes', async () => {
  const test = await createTestApp();
  const raw = vi.spyOn(console, 'error').mockReturnValue();
  const { status, body } = await test.get('/api/events?after=0');
  expect(status).toBe(200);
  await test.sql.end();
  // It ends by itself: its next look finds no database.
  const reader = body?.getReader();
  while ((await reader?.read())?.done === false);
  expect(raw.mock.calls).toEqual([]);
  raw.mockRestore();
});
