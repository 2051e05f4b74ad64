import { UserError } from '../../core/errors.ts';
import { changedMeanwhile, type LakeStore } from './lake-store.ts';
import { manifestPath } from './manifest.ts';
import { createS3Client, type S3Access } from './s3-client.ts';

/**
 * Opens a prefix of a bucket as the place of a lake. Every file is one PUT, so it is there whole or not at all; one is far
 * below the 5 GB that a PUT may have, because it holds one day. Throws a UserError for an address that is none.
 */
export async function openS3Store(
  address: string,
  access: S3Access,
  options: { signal: AbortSignal; pauseMs?: number },
): Promise<LakeStore> {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]+)(?:\/(.*))?$/.exec(address) ?? [];
  if (bucket === undefined) throw new UserError(`${address} is no bucket: write s3://bucket/folder.`);
  const folder = path.replace(/^\/+|\/+$/g, '');
  const prefix = folder === '' ? '' : `${folder}/`;
  const place = `s3://${bucket}${folder === '' ? '' : `/${folder}`}`;
  const send = await createS3Client(access, bucket, options);
  const manifestKey = prefix + manifestPath;

  const readManifest = async (): Promise<{ text: string; tag: string } | null> => {
    const { status, text, etag } = await send({ method: 'GET', key: manifestKey, expects: [404] });
    if (status !== 404) return { text, tag: etag ?? '' };
    if (text.includes('NoSuchBucket')) {
      throw new UserError(`There is no bucket ${bucket}: make it first, or choose another.`);
    }
    return null;
  };

  return {
    place,
    readManifest,
    replaceManifest: async (text, tag) => {
      // Not every server knows the condition, so the version is compared here too.
      const present = await readManifest();
      if ((present?.tag ?? null) !== tag) throw new UserError(changedMeanwhile(place));
      const condition: Record<string, string> = tag === null ? { 'if-none-match': '*' } : { 'if-match': tag };
      const put = { method: 'PUT', key: manifestKey, body: Buffer.from(text) } as const;
      let answer = await send({ ...put, headers: condition, expects: [412, 501] });
      if (answer.status === 501) answer = await send(put);
      if (answer.status < 300 && answer.etag !== null) return answer.etag;
      // A PUT whose answer was lost has been sent again, and found its own result.
      const found = await readManifest();
      if (found?.text === text) return found.tag;
      throw new UserError(changedMeanwhile(place));
    },
    write: async (path, body) => void (await send({ method: 'PUT', key: prefix + path, body })),
    list: async function* (folder) {
      let token: string | null = null;
      do {
        const query: Record<string, string> = { 'list-type': '2', prefix: prefix + folder };
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

const plainText = (xml: string): string =>
  xml.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });
