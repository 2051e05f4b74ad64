import nodemailer from 'nodemailer';
import { z } from 'zod';
import { renderHtml, renderText } from '../render-notice.ts';
import { attachmentFormats, attachmentsOf } from '../report/attachments.ts';
import type { ChannelAdapter, SendEnd } from './adapter.ts';

const address = z
  .string()
  .max(254)
  .regex(/^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/, 'must be an address like name@example.com');

/** Mail by the server of SMTP_URL, as text and HTML; the delivery's id is in the Message-ID. */
export const emailChannel: ChannelAdapter = {
  kind: 'email',
  config: z.strictObject({
    to: z.union([address.transform((one) => [one]), z.array(address).min(1).max(50)]),
    /** Of reports, beside their text. */
    attach: z.array(z.enum(attachmentFormats)).max(3).optional(),
  }),
  secret: null,
  send: async ({ id, notice, config }, { smtpUrl, mailFrom }) => {
    if (smtpUrl === null) return { kind: 'refused', reason: 'SMTP_URL is not set: mails need it' };
    const transport = nodemailer.createTransport(smtpUrl, {
      from: mailFrom,
      // Nothing of an offer may make a file or an address be read.
      ...{ disableFileAccess: true, disableUrlAccess: true },
    });
    try {
      await transport.sendMail({
        from: mailFrom,
        to: (config.to as string[]).map((to) => ({ name: '', address: to })),
        subject: notice.title,
        text: renderText(notice),
        html: renderHtml(notice),
        messageId: `<${id}@offerbook>`,
        headers: { 'X-Offerbook-Delivery': id, 'Auto-Submitted': 'auto-generated' },
        attachments: await attachmentsOf(
          notice,
          (config.attach ?? []) as (typeof attachmentFormats)[number][],
        ),
      });
      return { kind: 'sent' };
    } catch (error) {
      return endOf(error as Error & { responseCode?: number; code?: string; response?: string });
    } finally {
      transport.close();
    }
  },
};

function endOf({
  responseCode,
  code,
  response,
}: {
  responseCode?: number;
  code?: string;
  response?: string;
}): SendEnd {
  // Wrong credentials are set right by a person; the mail waits for that.
  if (responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH') {
    return { kind: 'refused', reason: `SMTP ${String(response ?? responseCode).slice(0, 200)}` };
  }
  return { kind: 'again', reason: `SMTP ${responseCode ?? code ?? 'failed'}` };
}
