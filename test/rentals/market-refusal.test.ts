import { describe, expect, it } from 'vitest';
import { MarketError, type MarketErrorKind } from '../../src/core/errors.ts';
import { callKnown, callMarket, marketProblem } from '../../src/rentals/market-refusal.ts';

const endpoint = 'PUT /api/v0/asks/7/';
const failure = (kind: MarketErrorKind, httpStatus: number | null, said: string | null): MarketError =>
  new MarketError(`${endpoint} answered ${httpStatus}`, {
    ...{ kind, endpoint, httpStatus, said, outcome: httpStatus === null ? 'unknown' : 'refused' },
  });

describe('a failed call of the market', () => {
  it.each<[kind: MarketErrorKind, httpStatus: number | null, answered: number, says: string]>([
    ['http', 400, 409, 'The market refused this: too small'],
    ['not_found', 404, 404, 'The market has nothing with this id. The market answered: too small'],
    ['offer-gone', 410, 410, 'The offer is gone: choose another. The market answered: too small'],
    ['http', 500, 502, `The market answered with an error: ${endpoint} answered 500`],
    ['auth', 401, 502, `The market refused the key: ${endpoint} answered 401`],
    ['network', null, 502, `The market cannot be reached: ${endpoint} answered null`],
  ])('%s begins with a sentence for people', (kind, httpStatus, answered, says) => {
    const { status, message } = marketProblem(failure(kind, httpStatus, 'too small'), true);
    expect([status, message]).toEqual([answered, says]);
  });

  it('has its status if the market gave no reason', () => {
    expect(marketProblem(failure('http', 400, null), true).message).toBe(
      'The market refused this with status 400 and gave no reason.',
    );
  });

  it('names the unknown thing, or the fields that the market refuses', async () => {
    const reject = (error: MarketError) => async () => await Promise.reject(error);
    await expect(callKnown('No volume 7.', reject(failure('not_found', 404, null)))).rejects.toMatchObject({
      status: 404,
      message: 'No volume 7.',
    });
    await expect(
      callMarket({ sizeGb: 7, label: undefined }, reject(failure('http', 400, 'too small'))),
    ).rejects.toMatchObject({
      status: 400,
      message: 'The market refused this: too small',
      errors: [{ name: 'sizeGb' }],
    });
  });
});
