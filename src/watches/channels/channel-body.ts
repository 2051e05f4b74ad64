import { z } from '@hono/zod-openapi';
import { storableLine, storableText } from '../../core/http/query.ts';
import type { ChannelAdapter } from './kinds/adapter.ts';
import { channelKinds, channelRegistry } from './kinds/registry.ts';

const name = storableLine(200).min(1);
const configNames = ({ fields, seldom = [] }: ChannelAdapter) => [...Object.keys(fields), ...seldom];
const config = z.record(z.string(), z.unknown()).openapi({
  type: 'object',
  description: `By kind: ${channelKinds
    .map((kind) => `\`${kind}\`: \`{${configNames(channelRegistry[kind]).join(', ')}}\``)
    .join('; ')}; an address is kept as a secret`,
});
const secret = storableText(2000).min(1);

/** The body of `POST /api/channels`. */
export const NewChannelSchema = z
  .strictObject({
    kind: z.enum(channelKinds),
    name: name.optional().openapi({ description: 'Default: the kind' }),
    config: config.optional(),
    secret: secret
      .optional()
      .openapi({ description: 'Token, signing key or address, by kind; never returned' }),
  })
  .openapi('NewChannel', { example: { kind: 'email', name: 'team', config: { to: 'team@example.org' } } });

/** The body of `PATCH /api/channels/{id}`: a field that is given replaces the one before. */
export const ChannelChangeSchema = z
  .strictObject({
    name: name.optional(),
    config: config.optional(),
    secret: secret.nullable().optional().openapi({ description: 'null removes it' }),
  })
  .openapi('ChannelChange', { example: { config: { to: 'research@example.org' } } });
