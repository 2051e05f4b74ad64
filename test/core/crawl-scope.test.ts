import { describe, expect, it } from 'vitest';
import { coversModel, defaultScope, narrowScope, unionOfModels } from '../../src/core/crawl-scope.ts';

describe('the scope of a crawl', () => {
  it('is the same for the same models in any order and with repeats', () => {
    const scope = narrowScope(['RTX 5090', 'H100 SXM', 'RTX 5090']);
    expect(scope).toEqual(narrowScope(['H100 SXM', 'RTX 5090']));
    expect(scope.name).toBe('models:H100 SXM|RTX 5090');
    expect([coversModel(scope, 'H100 SXM'), coversModel(scope, 'H100')]).toEqual([true, false]);
    expect(coversModel(defaultScope, 'anything')).toBe(true);
    expect(() => narrowScope([])).toThrow(RangeError);
  });

  it('is requested together with others as the union of their models', () => {
    const [a, b] = [narrowScope(['B', 'A']), narrowScope(['C', 'A'])];
    expect(unionOfModels([a, b])).toEqual(['A', 'B', 'C']);
    expect(unionOfModels([a, defaultScope])).toBeNull();
  });
});
