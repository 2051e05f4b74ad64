import { expect } from 'vitest';
import type { Sql } from '../../src/database/connection.ts';
import { createGuardedHttp } from '../../src/watches/channels/guarded-http.ts';
import { webhookChannel } from '../../src/watches/channels/kinds/webhook.ts';
import type { Notice } from '../../src/watches/channels/notice.ts';
import { readText } from '../structure/source-files.ts';
import { findMisfits } from '../support/schema-misfits.ts';
import { noPush } from './no-push.ts';
import { startReceiver } from './receiver.ts';

type Json = Record<string, unknown>;
interface Description {
  webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { schema: Json } } } } }>;
  components: { schemas: Record<string, Json> };
}

/** Throws if the body of a webhook is not as docs/openapi.json describes it. */
export function requireDescribedWebhook(body: string): void {
  const { webhooks, components } = JSON.parse(readText('docs/openapi.json')) as Description;
  const { type } = JSON.parse(body) as { type: string };
  const schema = webhooks[type]?.post.requestBody.content['application/json'].schema;
  expect(schema, `${type} is not described`).toBeDefined();
  expect(findMisfits(JSON.parse(body), schema ?? {}, components.schemas), type).toEqual([]);
}

/** Sends every notice of a database as a webhook and checks its body. Returns the kinds that there were. */
export async function requireDescribedNotices(sql: Sql): Promise<string[]> {
  const rows = await sql<{ notice: string }[]>`
    select notice from delivery where notice <> '{}' union select notice from alert`;
  const receiver = await startReceiver();
  const http = createGuardedHttp({ allowPrivate: true });
  const tools = { http, smtpUrl: null, mailFrom: '', filesDir: '', now: () => new Date(), push: noPush };
  for (const { notice: text } of rows) {
    const notice = JSON.parse(text) as Notice;
    const outgoing = { id: 'an-id', notice, isReplay: false, config: { url: receiver.url }, secret: '' };
    expect(await webhookChannel.send(outgoing, tools)).toEqual({ kind: 'sent' });
  }
  await http.close();
  for (const { body } of receiver.received) requireDescribedWebhook(body);
  return [...new Set(rows.map(({ notice }) => (JSON.parse(notice) as Notice).kind))].sort();
}
