import { z } from '@hono/zod-openapi';
import type { ApiApp } from '../../../core/http/api-app.ts';
import { jsonBody } from '../../../core/http/route-parts.ts';
import { type NoticeKind, noticeKinds } from '../../../watches/channels/notice.ts';
import { webhookBodies } from '../../../watches/channels/webhook-body.ts';

const summaries: Readonly<Record<NoticeKind, string>> = {
  alert: 'A rule has fired',
  digest: 'Several alerts of a rule together',
  report: 'The cheapest offers of a watch',
  order: 'A standing order took a step',
  test: 'A sample that somebody asked for: nothing has happened',
};

const headers = z.object({
  'webhook-id': z.string().openapi({
    description: 'Id of the delivery, as in the body: the same in every retry and replay',
    example: '01983f2c-8b1e-7c40-9d3a-5b6e7f809a1b',
  }),
  'webhook-timestamp': z.string().openapi({
    description: 'When this attempt was sent, seconds since 1970',
    example: '1784524745',
  }),
  'webhook-signature': z.string().openapi({
    description: '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64',
    example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }),
});

/** Registers the webhooks in the API description: each with the schema that types its body. */
export function describeWebhooks(app: ApiApp): void {
  for (const kind of noticeKinds) {
    app.openAPIRegistry.registerWebhook({
      operationId: `receive${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`,
      method: 'post',
      path: `offerbook.${kind}`,
      tags: ['channels'],
      summary: summaries[kind],
      security: [],
      request: { headers, body: jsonBody(webhookBodies[kind]) },
      responses: {
        '2XX': { description: 'It is accepted' },
        '4XX': { description: 'It is refused for good, except by 408, 421, 423, 425 and 429' },
        '5XX': { description: 'It is sent again later' },
      },
    });
  }
}
