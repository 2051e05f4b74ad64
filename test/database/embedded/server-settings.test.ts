import { expect, it } from 'vitest';
import { settingsFor } from '../../../src/database/embedded/server-settings.ts';

const gb = 1024 ** 3;

it.each([
  [0.5 * gb, '128MB'],
  [2 * gb, '256MB'],
  [4 * gb, '512MB'],
  [64 * gb, '512MB'],
])('the server on a machine with %d bytes of memory caches %s of what is read', (memory, kept) => {
  expect(settingsFor('/run/offerbook', memory).shared_buffers).toBe(kept);
});

it("contain the socket's folder with any quotes in its name", () => {
  expect(settingsFor('/run/"here"').unix_socket_directories).toBe('"/run/""here"""');
});
