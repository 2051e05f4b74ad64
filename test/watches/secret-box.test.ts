import { describe, expect, it } from 'vitest';
import { createSecretBox } from '../../src/watches/channels/secret-box.ts';

describe('a secret', () => {
  it('opens only with its key and for its owner, and never looks the same', () => {
    const box = createSecretBox('the key of this test');
    const sealed = box.seal('hunter2 ß', 'a');
    expect(sealed).not.toContain('hunter2');
    expect(box.seal('hunter2 ß', 'a')).not.toBe(sealed);
    expect(box.open(sealed, 'a')).toBe('hunter2 ß');
    expect(box.open(sealed, 'b')).toBeNull();
    expect(createSecretBox('another key of this test').open(sealed, 'a')).toBeNull();
  });

  it('that was changed, cut or made up does not open', () => {
    const box = createSecretBox('the key of this test');
    const sealed = box.seal('hunter2', 'a');
    const last = sealed.at(-2) === 'A' ? 'B' : 'A';
    for (const wrong of [
      `${sealed.slice(0, -2)}${last}${sealed.at(-1)}`,
      sealed.slice(0, -8),
      'v1.x.y.z',
      '',
      'v1',
    ]) {
      expect(box.open(wrong, 'a')).toBeNull();
    }
  });
});
