import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Rankings, Rented, StandingOrder, Watch } from '../../web/core/api.ts';
import { type PageFixture, settled } from './page-fixture.ts';

/** Controls that only read, or only change this browser. */
const readsOnly = [
  ...[/^Pin /, /^Unpin /, /^Log out$/, /^Show /, /^Clear filters$/, /^History$/, /^Preview$/, /^Backtest$/],
  ...[
    /^Sort /,
    /^Compare$/,
    /^Save as preset$/,
    /^All instances$/,
    /^Hide /,
    /^Listing of /,
    /^Earlier$/,
    /^Later$/,
    /^Copy/,
    /^Zoom/,
    /^Reset/,
    /^Back/,
    /^Choose a deal$/,
  ],
];

/** Returns the names of the controls in the view that change something, whatever collapsed section they are in. */
export async function actingControls(page: Page): Promise<string[]> {
  await page.locator('main details:not(.menu, .picker, .picker *)').evaluateAll((found) => {
    for (const each of found) (each as HTMLDetailsElement).open = true;
  });
  const names = await page
    .locator(
      'main :is(button:not(.explained, [popovertarget], .picker *, .menu *, thead *), a.button, .view input[name^="on-"])',
    )
    .evaluateAll((found) =>
      found.map((each) => each.getAttribute('aria-label') ?? each.textContent?.trim() ?? ''),
    );
  return names.filter((name) => !readsOnly.some((pattern) => pattern.test(name)));
}

/** Returns the reasons that the view gives in place of controls. */
export const shownReasons = async (page: Page): Promise<string[]> =>
  await page.locator('main [data-reason]').allTextContents();

/** Opens a page with the rights of a viewer. */
const asViewer = async ({ server, send }: PageFixture): Promise<(page: Page) => Promise<void>> => {
  const { url } = server();
  const { token } = await send<{ token: string }>('POST', '/api/tokens', {
    name: 'a viewer',
    role: 'viewer',
  });
  return async (page) => {
    const login = await page.request.post(`${url}/api/session`, {
      data: { token },
      headers: { origin: url },
    });
    expect(login.status()).toBe(204);
  };
};

/** Tests that a viewer is offered nothing that the API would refuse, and is told why. */
export function describeViewingOnly(pages: PageFixture): void {
  const { open, ask, send, crawled } = pages;
  describe('for a viewer', () => {
    let watch: Watch;
    let order: StandingOrder;
    let log: (page: Page) => Promise<void>;
    let instanceId: number;
    const made: string[] = [];

    /** Rents the cheapest machine that can be rented. */
    async function rentOne(): Promise<number> {
      const { items } = await ask<Rankings>('/api/rankings?by=usdPerGpuHour&limit=100');
      const { url, token } = pages.server();
      for (const { offerId } of items) {
        const answer = await fetch(`${url}/api/instances`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'idempotency-key': `viewer-${offerId}`,
          },
          body: JSON.stringify({ offerId, image: 'ubuntu', diskGb: 16, label: 'seen by a viewer' }),
        });
        const rented = (await answer.json()) as Partial<Rented>;
        if (answer.ok && rented.instanceId != null) return rented.instanceId;
      }
      throw new Error('nothing can be rented');
    }

    beforeAll(async () => {
      await crawled();
      log = await asViewer(pages);
      instanceId = await rentOne();
      watch = await send<Watch>('POST', '/api/watches', { name: 'Seen by a viewer' });
      const choices = [{ watchId: watch.id, maxUsdPerGpuHour: 5 }];
      const request = { image: 'ubuntu', diskGb: 16 };
      const endsAt = '2100-01-01T00:00:00Z';
      order = await send('POST', '/api/orders', { name: 'Seen by a viewer', endsAt, choices, request });
      const add = async (path: string, body: object) => {
        const { id } = await send<{ id: string }>('POST', path, body);
        made.push(`${path}/${id}`);
      };
      await add('/api/rules', { watchId: watch.id, kind: 'priceBelow', params: { usd: 1 } });
      await add('/api/rules', { kind: 'burnAbove', params: { usdPerHour: 1 } });
      await add('/api/channels', { kind: 'file', config: { path: 'seen' } });
      await add('/api/budgets', { monthlyUsd: '100', alertAt: [1] });
      await add('/api/blocklist', { kind: 'prefer', machineId: 1 });
    });
    afterAll(async () => {
      await send('DELETE', `/api/instances/${instanceId}`);
      for (const path of made.reverse()) await send('DELETE', path);
      await send('DELETE', `/api/orders/${order.id}`);
      await send('DELETE', `/api/watches/${watch.id}`);
    });

    it('no view offers what the API would refuse, and each says why where one would look for it', async () => {
      const { items } = await ask<Rankings>('/api/rankings?limit=1');
      const [offer] = items;
      const expected: Record<string, string[]> = {
        '/today': [],
        '/market': [],
        '/trends': [],
        '/deals': ['to rent', 'to save watches'],
        [`/listings/${offer?.listingId}`]: ['to rent', 'to block or prefer machines'],
        [`/rent/${offer?.offerId}`]: ['to rent'],
        '/instances': ['to manage instances'],
        [`/instances/${instanceId}`]: ['to manage instances'],
        '/templates': ['to see or change templates'],
        '/volumes': ['to create or delete volumes'],
        '/orders': ['to place or change orders'],
        '/orders/new': ['to place or change orders'],
        [`/orders/${order.id}`]: ['to place or change orders'],
        '/spend': ['to set budgets', 'to see or create links', 'to record the balance'],
        '/watches': ['to save watches', 'to add alerts', 'to add channels'],
        [`/watches/${watch.id}`]: ['to save watches', 'to send reports', 'to add alerts'],
        '/crawls': ['to start crawls'],
        '/settings': [
          'to see, create or revoke tokens',
          'to block or prefer machines',
          'to see the audit log',
        ],
        '/start': [],
      };
      const page = await open('/start', log);
      const flaws: string[] = [];
      // Nor is anything asked for that a viewer is refused.
      page.on('response', (response) => {
        if (response.status() === 403) flaws.push(`${page.url()} asks for ${response.url()}`);
      });
      for (const [path, wanted] of Object.entries(expected)) {
        await page.goto(`${pages.server().url}${path}`);
        await settled(page);
        flaws.push(...(await actingControls(page)).map((name) => `${path} offers ${name}`));
        const reasons = await shownReasons(page);
        const missing = wanted.filter((words) => !reasons.some((reason) => reason.includes(words)));
        flaws.push(...missing.map((words) => `${path} does not say whom to ask ${words}`));
        const others = reasons.filter((reason) => !/^Viewing only: ask an (operator|admin) to /.test(reason));
        flaws.push(...others.map((reason) => `${path} says ${reason}`));
      }
      expect(flaws).toEqual([]);
    });
  });
}
