import { UserError } from '../../core/errors.ts';
import { createS3Client, type S3Access, type SendToS3 } from './s3-client.ts';

/** A file of a bucket. */
export interface S3File {
  /** Below the prefix. */
  path: string;
  bytes: number;
  writtenAt: Date;
}

/** A prefix of a bucket, with what all that keep files there need. */
export interface S3Folder {
  /** `s3://bucket/folder`, for people. */
  place: string;
  bucket: string;
  /** Of every key: empty, or ends with `/`. */
  prefix: string;
  send: SendToS3;
  list: (folder: string) => AsyncGenerator<S3File>;
  remove: (path: string) => Promise<void>;
}

/** Opens a prefix of a bucket. Throws a UserError for an address that is none. */
export async function openS3Folder(
  address: string,
  access: S3Access,
  options: { signal: AbortSignal; pauseMs?: number | undefined },
): Promise<S3Folder> {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]+)(?:\/(.*))?$/.exec(address) ?? [];
  if (bucket === undefined) throw new UserError(`${address} is no bucket: write s3://bucket/folder.`);
  const folder = path.replace(/^\/+|\/+$/g, '');
  const prefix = folder === '' ? '' : `${folder}/`;
  const send = await createS3Client(access, bucket, options);
  return {
    place: `s3://${bucket}${folder === '' ? '' : `/${folder}`}`,
    bucket,
    prefix,
    send,
    list: async function* (below) {
      let token: string | null = null;
      do {
        const query: Record<string, string> = { 'list-type': '2', prefix: prefix + below };
        if (token !== null) query['continuation-token'] = token;
        const { text } = await send({ method: 'GET', key: '', query });
        for (const [, entry = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          const key = plainText(/<Key>(.*?)<\/Key>/s.exec(entry)?.[1] ?? '');
          const bytes = Number(/<Size>(\d+)<\/Size>/.exec(entry)?.[1]);
          const writtenAt = new Date(/<LastModified>(.*?)<\/LastModified>/.exec(entry)?.[1] ?? '');
          yield { path: key.slice(prefix.length), bytes, writtenAt };
        }
        const next = /<NextContinuationToken>(.*?)<\/NextContinuationToken>/s.exec(text)?.[1];
        token = next === undefined ? null : plainText(next);
      } while (token !== null);
    },
    remove: async (path) => void (await send({ method: 'DELETE', key: prefix + path, expects: [404] })),
  };
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns text of an answer without its entities. */
export const plainText = (xml: string): string =>
  xml.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });
