import { z } from '@hono/zod-openapi';
import { moment } from '../../core/http/route-parts.ts';
import { type Notice, type NoticeKind, noticeKinds } from './notice.ts';
import { noticeData, noticeFields } from './notice-schema.ts';

const envelope = {
  timestamp: moment.openapi({ description: 'The moment that it is about: `data.at`' }),
  id: z.string().openapi({ description: 'Of the delivery: the same in every retry and replay' }),
  replay: z.boolean().openapi({ description: 'Whether somebody had it sent again after it had ended' }),
};

const bodyOf = (kind: NoticeKind) =>
  z
    .object({
      type: z.literal(`offerbook.${kind}`),
      ...envelope,
      data: z.object({ kind: z.literal(kind), ...noticeFields, data: noticeData[kind] }),
    })
    .openapi(`${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}Webhook`);

/** The body of a webhook, by the kind of its notice. */
export const webhookBodies = Object.fromEntries(noticeKinds.map((kind) => [kind, bodyOf(kind)])) as Record<
  NoticeKind,
  ReturnType<typeof bodyOf>
>;

const EnvelopeSchema = z.object({
  type: z.templateLiteral(['offerbook.', z.enum(noticeKinds)]),
  ...envelope,
});

/** The body of any webhook. */
export type WebhookBody = z.infer<typeof EnvelopeSchema> & { data: Notice };
