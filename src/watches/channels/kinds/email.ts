import { z } from 'zod';
import { cutText } from '../../../core/cut-text.ts';
import { codeIn, unreachableWords } from '../../../core/outgoing/unreachable-words.ts';
import { attachmentFormats } from '../../reports/attachment-formats.ts';
import { renderHtml, renderText } from '../render-notice.ts';
import type { SendEnd } from '../send-end.ts';
import type { ChannelAdapter } from './adapter.ts';

const address = z
  .string()
  .max(254)
  .regex(/^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/, 'must be an address like name@example.com');

/** Timeouts for a server that hangs; those in SMTP_URL take precedence. */
const mailTimeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 30_000 };
const withoutServer =
  'E-mail needs a mail server: set the environment variable SMTP_URL of Offerbook, for example ' +
  'smtps://user:password@mail.example.com:465, and restart it.';
const maxRecipients = 1_000;

/** Returns the e-mail channel of the server in SMTP_URL: text and HTML, with the delivery's id in the Message-ID. */
export function createEmailChannel(timeouts: typeof mailTimeouts = mailTimeouts): ChannelAdapter {
  // By delivery, the recipients who already have an e-mail that others still lack, so that they do not get it again.
  const given = new Map<string, ReadonlySet<string>>();
  return {
    label: 'E-mail',
    needs: 'Mails go through the server of SMTP_URL.',
    fields: {
      to: { label: 'Addresses, separated by commas', example: 'you@example.com', several: true },
    },

    seldom: ['attach'],
    config: z.strictObject({
      to: z.union([address.transform((one) => [one]), z.array(address).min(1).max(50)]),
      /** Attached to reports. */
      attach: z.array(z.enum(attachmentFormats)).max(3).optional(),
    }),
    secret: null,
    missing: ({ smtpUrl }) => (smtpUrl === null ? withoutServer : null),
    send: async ({ id, notice, config }, { smtpUrl, mailFrom }) => {
      if (smtpUrl === null) return { kind: 'refused', reason: withoutServer };
      const everybody = config.to as string[];
      const had = given.get(id) ?? new Set<string>();
      // Read when a mail is sent: most processes send none.
      const { createTransport } = await import('nodemailer');
      const { attachmentsOf } = await import('../../reports/attachments.ts');
      const transport = createTransport(
        { url: smtpUrl, ...timeouts },
        // Text from an offer must not make the mailer read a file or an address.
        { from: mailFrom, disableFileAccess: true, disableUrlAccess: true },
      );
      try {
        const { accepted, rejectedErrors = [] } = await transport.sendMail({
          from: mailFrom,
          to: everybody.map((to) => ({ name: '', address: to })),
          envelope: { from: mailFrom, to: everybody.filter((to) => !had.has(to)) },
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
        given.delete(id);
        if (rejectedErrors.length === 0) return { kind: 'sent' };
        given.set(id, new Set([...had, ...accepted.map(String)]));
        const [oldest] = given.keys();
        if (given.size > maxRecipients && oldest !== undefined) given.delete(oldest);
        return endOfSome(rejectedErrors);
      } catch (error) {
        return endOf(error as SmtpError, smtpUrl);
      } finally {
        transport.close();
      }
    },
  };
}

interface SmtpError {
  message?: string | undefined;
  responseCode?: number | undefined;
  code?: string | undefined;
  response?: string | undefined;
  /** The recipient that the server rejected. */
  recipient?: string | undefined;
}

/** Some recipients have it and some were rejected: it is retried while one of these may be accepted later. */
function endOfSome(rejected: readonly SmtpError[]): SendEnd {
  const passing = rejected.filter(({ responseCode = 0 }) => responseCode < 500);
  const named = (passing.length > 0 ? passing : rejected)
    .map(({ recipient, responseCode }) => `${recipient} (${responseCode ?? 'no answer'})`)
    .join(', ');
  return passing.length > 0
    ? { kind: 'again', reason: `SMTP, not yet accepted: ${named}` }
    : { kind: 'refused', reason: `SMTP, sent except to rejected recipients: ${named}` };
}

function endOf({ responseCode, code, response, message = '' }: SmtpError, smtpUrl: string): SendEnd {
  // Wrong credentials need a person; the e-mail waits.
  if (responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH') {
    return { kind: 'refused', reason: `SMTP ${cutText(String(response ?? responseCode), 200)}` };
  }
  if (code === 'EAUTH') {
    const answered = responseCode === undefined ? code : `${code}, ${responseCode}`;
    return {
      kind: 'again',
      reason: `SMTP: the mail server refuses the user or password of SMTP_URL (${answered})`,
    };
  }
  if (responseCode !== undefined) return { kind: 'again', reason: `SMTP ${responseCode}` };
  // The mailer replaces the code of a connection by its own, and keeps it in the message.
  const reason = unreachableWords(codeIn(message) ?? code ?? 'failed', smtpUrl);
  return { kind: 'again', reason: `SMTP: ${reason}; it is set in SMTP_URL` };
}
