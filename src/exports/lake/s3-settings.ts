import { z } from 'zod';
import type { S3Access } from './s3-client.ts';

const text = z.string();
const region = text.regex(/^[a-z0-9-]+$/, 'expected a region like eu-central-1');
const webAddress = z.url({ protocol: /^https?$/, error: 'expected an http or https address' });

/** Settings of S3, under the names that the tools of Amazon give them. */
export const s3Values = {
  AWS_ACCESS_KEY_ID: text.optional(),
  AWS_SECRET_ACCESS_KEY: text.optional(),
  AWS_SESSION_TOKEN: text.optional(),
  AWS_REGION: region.optional(),
  AWS_DEFAULT_REGION: region.default('us-east-1'),
  AWS_ENDPOINT_URL: webAddress.optional(),
  AWS_ENDPOINT_URL_S3: webAddress.optional(),
} as const;

/** Returns how buckets are reached by these settings. */
export const s3AccessOf = (values: z.output<z.ZodObject<typeof s3Values>>): S3Access => ({
  accessKeyId: values.AWS_ACCESS_KEY_ID ?? null,
  secretAccessKey: values.AWS_SECRET_ACCESS_KEY ?? null,
  sessionToken: values.AWS_SESSION_TOKEN ?? null,
  region: values.AWS_REGION ?? values.AWS_DEFAULT_REGION,
  endpoint: values.AWS_ENDPOINT_URL_S3 ?? values.AWS_ENDPOINT_URL ?? null,
});
