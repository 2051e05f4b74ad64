import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from '../../core/errors.ts';

/** How a bucket is reached. */
export interface S3Access {
  /** null: unset. */
  accessKeyId: string | null;
  secretAccessKey: string | null;
  /** Of temporary credentials; null: none. */
  sessionToken: string | null;
  region: string;
  /** Address of an S3-compatible server; null: Amazon's own. */
  endpoint: string | null;
}

export interface S3Request {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Of the object; empty: the bucket itself. */
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Buffer;
  /** Answers that are no failure, beside 200 to 299. */
  expects?: readonly number[];
}

export interface S3Answer {
  status: number;
  bytes: Buffer;
  text: string;
  etag: string | null;
}

export type SendToS3 = (request: S3Request) => Promise<S3Answer>;

const tries = 6;
const timeoutMs = 60_000;

/**
 * Returns a function that sends a signed request to a bucket, again after network errors and the answers 408, 429 and
 * 5xx: six times in all, with pauses up to some seconds. Throws a UserError for any other answer, without a secret.
 */
export async function createS3Client(
  access: S3Access,
  bucket: string,
  { signal, pauseMs = 200 }: { signal: AbortSignal; pauseMs?: number | undefined },
): Promise<SendToS3> {
  const { accessKeyId, secretAccessKey, sessionToken, region } = access;
  if (accessKeyId === null || secretAccessKey === null) {
    throw new UserError('s3:// needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: set both.');
  }
  const { AwsClient } = await import('aws4fetch');
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
    ...(sessionToken === null ? {} : { sessionToken }),
  });
  const base = addressOf(access, bucket);
  const where = `s3://${bucket} at ${new URL(base).host}`;

  const sendOnce = async ({ method, key, query, headers, body }: S3Request): Promise<S3Answer> => {
    const pairs = Object.entries(query ?? {}).map(([name, value]) => `${name}=${encodeStrictly(value)}`);
    const path = key === '' ? '' : `/${key.split('/').map(encodeStrictly).join('/')}`;
    const url = `${base}${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
    const sha256 = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const signed = await client.sign(url, {
      method,
      headers: { ...headers, 'x-amz-content-sha256': sha256 },
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      // The signature is for this address only.
      redirect: 'manual',
    });
    const answer = await fetch(signed);
    const bytes = Buffer.from(await answer.arrayBuffer());
    return {
      status: answer.status,
      bytes,
      get text() {
        return bytes.toString();
      },
      etag: answer.headers.get('etag'),
    };
  };

  return async (request) => {
    for (let tried = 1; ; tried += 1) {
      const answer = await sendOnce(request).catch((cause: unknown) => {
        if (signal.aborted) throw signal.reason;
        return cause as Error;
      });
      if (!(answer instanceof Error)) {
        const isDone = answer.status < 300 || request.expects?.includes(answer.status) === true;
        if (isDone) return answer;
      }
      if (!mayHelp(answer) || tried === tries) throw explain(where, request, answer);
      await delay(pauseMs * 2 ** (tried - 1), undefined, { signal });
    }
  };
}

/** Whether sending again may help. */
const mayHelp = (answer: S3Answer | Error): boolean =>
  answer instanceof Error || answer.status >= 500 || [408, 409, 429].includes(answer.status);

/** Returns the address of a bucket, without a slash at its end. */
function addressOf({ endpoint, region }: S3Access, bucket: string): string {
  if (endpoint !== null) return `${endpoint.replace(/\/+$/, '')}/${bucket}`;
  const host = `s3.${region}.amazonaws.com`;
  // The certificate is for one name below the host.
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}

/** Encodes as signatures do: a blank as `%20`, never as `+`. */
const encodeStrictly = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

const otherRegion = 'the bucket is in another region. Set AWS_REGION';
const advice: Record<string, string> = {
  AccessDenied: 'the key may not do this. Allow it to list, read, write and delete objects there',
  InvalidAccessKeyId: 'the key is unknown there. Check AWS_ACCESS_KEY_ID and AWS_ENDPOINT_URL_S3',
  SignatureDoesNotMatch: 'the key does not match. Check AWS_SECRET_ACCESS_KEY and AWS_REGION',
  NoSuchBucket: 'the bucket does not exist. Make it first, or choose another',
  ExpiredToken: 'the session has expired. Set new AWS_ credentials',
  PermanentRedirect: otherRegion,
  TemporaryRedirect: otherRegion,
  AuthorizationHeaderMalformed: otherRegion,
  RequestTimeTooSkewed: "this machine's clock is wrong. Set it",
};

function explain(where: string, { method }: S3Request, answer: S3Answer | Error): UserError {
  const kept = 'What it held stays as it was.';
  if (answer instanceof Error) {
    const code = (answer.cause as NodeJS.ErrnoException | undefined)?.code ?? answer.name;
    return new UserError(
      `${where} cannot be reached (${code}): check AWS_REGION, AWS_ENDPOINT_URL_S3 and the network. ${kept}`,
    );
  }
  const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(answer.text) ?? [];
  const byStatus = mayHelp(answer)
    ? 'try again later'
    : 'check the address, AWS_REGION and AWS_ENDPOINT_URL_S3';
  const reason = advice[code] ?? (answer.status === 403 ? advice.AccessDenied : byStatus);
  return new UserError(
    `${where} refuses ${method} (${answer.status}${code === '' ? '' : ` ${code}`}): ${reason}. ${kept}`,
  );
}
