import { UserError } from '../../core/errors.ts';
import { changedMeanwhile, type LakeStore } from './lake-store.ts';
import { manifestPath } from './manifest.ts';
import type { S3Access } from './s3-client.ts';
import { openS3Folder } from './s3-folder.ts';

/**
 * Opens a prefix of a bucket as the place of a lake. Every file is one PUT, so it is there whole or not at all; one is far
 * below the 5 GB that a PUT may have, because it holds one day. Throws a UserError for an address that is none.
 */
export async function openS3Store(
  address: string,
  access: S3Access,
  options: { signal: AbortSignal; pauseMs?: number },
): Promise<LakeStore> {
  const folder = await openS3Folder(address, access, options);
  const { place, bucket, prefix, send } = folder;
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
    list: folder.list,
    remove: folder.remove,
  };
}
