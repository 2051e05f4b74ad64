import { describe, expect, it } from 'vitest';
import { type PageFixture, patiently, tabTo, widths } from './page-fixture.ts';

/** Tests in a real browser that models can be pinned. */
export function describePinnedModels({ open, server }: PageFixture): void {
  describe('pinned models', () => {
    it.each(widths)('stay pinned over a reload, and in another tab at once, %s wide', async (width) => {
      const page = await open('/market', undefined, width);
      const pin = page.locator('#models tr[data-model="RTX 4090"] button.pin[aria-pressed]');
      expect(await pin.getAttribute('aria-pressed')).toBe('false');
      const other = await page.context().newPage();
      await other.goto(`${server().url}/market`);
      const otherPin = other.locator('#models tr[data-model="RTX 4090"] button.pin[aria-pressed]');
      await otherPin.waitFor();
      if (width === 390) {
        // Room for a finger, and a pin beside its bell without an overlap.
        const [own, bell] = await Promise.all(
          [pin, pin.locator('+ button.pin')].map((each) => each.boundingBox()),
        );
        expect([own?.width, own?.height, bell?.width]).toEqual([40, 40, 40]);
        expect(bell?.x).toBeGreaterThanOrEqual((own?.x ?? 0) + 40);
      }
      await pin.click();
      await expect.poll(() => otherPin.getAttribute('aria-pressed'), patiently).toBe('true');
      await page.reload();
      expect(await pin.getAttribute('aria-pressed')).toBe('true');
      expect(await page.locator('button.pin[aria-pressed=true]').count()).toBe(1);
      await pin.click();
      await page.reload();
      expect(await pin.getAttribute('aria-pressed')).toBe('false');
    });

    it('can be pinned with the keyboard, by name', async () => {
      const page = await open('/market?q=RTX+4090');
      const pin = page.getByRole('button', { name: 'Pin RTX 4090', exact: true });
      await pin.waitFor();
      await tabTo(page, 'button.pin');
      await page.keyboard.press('Enter');
      expect(await page.locator('button.pin').first().getAttribute('aria-pressed')).toBe('true');
    });

    it('of a broken or a forbidden storage are none, and the page works', async () => {
      const page = await open('/market', (page) =>
        page.addInitScript(() => {
          localStorage.setItem('offerbook-pinned-models', '{"simulator":7,"x":["a",null]');
          Storage.prototype.setItem = () => {
            throw new Error('forbidden');
          };
        }),
      );
      const pin = page.locator('#models button.pin[aria-pressed]').first();
      expect(await pin.getAttribute('aria-pressed')).toBe('false');
      await pin.click();
      expect(await pin.getAttribute('aria-pressed')).toBe('true');
    });
  });
}
