import { describe, expect, it } from 'vitest';
import { requireDescribed } from '../../support/documented-answers.ts';
import { createTestApp } from '../../support/test-app.ts';

const json = (body: unknown, status = 200): Response => Response.json(body, { status });
const health = { status: 'ok' };
const actions = { enabled: true, setting: true, killSwitch: null, limits: null };

describe('the test app', () => {
  it('passes on what is described, null and named objects too', async () => {
    await requireDescribed('GET', '/healthz', json(health));
    const { app, tokens } = await createTestApp();
    const headers = { authorization: `Bearer ${tokens.viewer}` };
    expect(await (await app.request('/api/actions', { headers })).json()).toMatchObject({ enabled: false });
  });

  it.each<[string, string, Response, string]>([
    ['a status that its description does not name', '/healthz', json(health, 409), 'answered 409'],
    ['a missing field', '/healthz', json({}), 'has no status'],
    ['a field that is not described', '/healthz', json({ ...health, more: 1 }), '/more is not described'],
    [
      'a value of another type',
      '/api/actions',
      json({ ...actions, enabled: 'yes' }),
      '/enabled is string, not boolean',
    ],
    ['a value outside of a list', '/healthz', json({ status: 'bad' }), '/status is "bad"'],
    [
      'null where it may not be',
      '/api/actions',
      json({ ...actions, enabled: null }),
      '/enabled is null, not boolean',
    ],
  ])('refuses %s', async (_, path, response, why) => {
    await expect(requireDescribed('GET', `http://localhost${path}`, response)).rejects.toThrow(why);
  });
});
