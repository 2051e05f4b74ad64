import type { S3Access } from '../../exports/lake/s3-client.ts';
import { openS3Folder, plainText } from '../../exports/lake/s3-folder.ts';
import { readBackupName } from './backup-names.ts';
import type { BackupPlace } from './backup-place.ts';
import { createUpload } from './s3-upload.ts';

/** Bytes that are read or sent at once. */
const defaultPartBytes = 8 * 1024 * 1024;

interface S3PlaceOptions {
  signal: AbortSignal;
  pauseMs?: number;
  /** At least 5 MB, except on the server of the tests. @default 8 MB */
  partBytes?: number;
}

/** Opens a prefix of a bucket. A file appears there when its last part has been sent. */
export async function openS3Place(
  address: string,
  access: S3Access,
  { partBytes = defaultPartBytes, ...options }: S3PlaceOptions,
): Promise<BackupPlace> {
  const { place, prefix, send, list, remove } = await openS3Folder(address, access, options);
  return {
    place,
    files: () => list(''),
    write: async (name, fill) => {
      const upload = createUpload(send, prefix + name, partBytes);
      try {
        return await fill(upload.file);
      } catch (error) {
        await upload.abort();
        throw options.signal.aborted ? options.signal.reason : error;
      }
    },
    source: ({ name, bytes }, key) => ({
      name: `${place}/${name}`,
      key,
      read: async function* () {
        for (let from = 0; from < bytes; from += partBytes) {
          const to = Math.min(bytes, from + partBytes) - 1;
          const range = { range: `bytes=${from}-${to}` };
          yield (await send({ method: 'GET', key: prefix + name, headers: range })).bytes;
        }
      },
    }),
    remove,
    clear: async () => {
      // Not every server lists unfinished uploads.
      const { status, text } = await send({
        method: 'GET',
        key: '',
        query: { uploads: '', prefix },
        expects: [501, 405],
      });
      if (status >= 300) return;
      for (const [, entry = ''] of text.matchAll(/<Upload>(.*?)<\/Upload>/gs)) {
        const key = plainText(/<Key>(.*?)<\/Key>/s.exec(entry)?.[1] ?? '');
        const uploadId = plainText(/<UploadId>(.*?)<\/UploadId>/s.exec(entry)?.[1] ?? '');
        if (readBackupName(key.slice(prefix.length)) === null) continue;
        await send({ method: 'DELETE', key, query: { uploadId }, expects: [404] });
      }
    },
  };
}
