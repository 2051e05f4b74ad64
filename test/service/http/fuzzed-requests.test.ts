import { expect, it } from 'vitest';
import { readOperations } from '../../../prove/hostile/api-operations.ts';
import { fuzzRequests } from '../../../prove/hostile/fuzz-requests.ts';
import { describeApi } from '../../../src/service/http/describe-api.ts';
import { createToken } from '../../../src/service/sign-in/credentials.sql.ts';
import { startOfferbook } from '../../support/offerbook-server.ts';

it("no request generated from the API's own document gets a 5xx or an error without an explanation", async () => {
  const { url, token, sql, close } = await startOfferbook();
  try {
    const [operator, viewer] = [
      await createToken(sql, { name: 'operator of the fuzz', role: 'operator' }),
      await createToken(sql, { name: 'viewer of the fuzz', role: 'viewer' }),
    ];
    const now = Date.now();
    const { failures, counts } = await fuzzRequests({
      service: {
        url,
        tokens: { admin: token, operator: operator.token, viewer: viewer.token },
        range: { from: new Date(now - 3 * 86_400_000), to: new Date(now) },
      },
      operations: readOperations(describeApi('0.0.0-test')),
      seed: 19,
      requests: 800,
      maxMs: Number.POSITIVE_INFINITY,
    });
    expect(failures).toEqual([]);
    // Unless many get past the first check, nothing is proved.
    expect(Number(counts['of them answered 2xx or 3xx'])).toBeGreaterThan(
      0.7 * Number(counts['valid requests as admin']),
    );
    expect(counts['operations that succeeded at least once']).toBeGreaterThan(70);
    expect(Number(counts['of them naming it'])).toBeGreaterThan(
      0.9 * Number(counts['400 for one wrong field']),
    );
  } finally {
    await close();
  }
}, 600_000);
