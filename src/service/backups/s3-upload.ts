import { Writable } from 'node:stream';
import { UserError } from '../../core/errors.ts';
import type { SendToS3 } from '../../exports/lake/s3-client.ts';
import { plainText } from '../../exports/lake/s3-folder.ts';

interface Upload {
  /** Ends once the object is there, whole. */
  file: Writable;
  /** Forgets what was sent; a failure to do so is left to the next backup. */
  abort: () => Promise<void>;
}

/** S3 takes at most 10,000 parts: they grow, so that 400 GB fit. */
const partsPerSize = 1_000;

/** Returns a stream that becomes an object of S3: one PUT if it is small, else an upload in parts. */
export function createUpload(send: SendToS3, key: string, partBytes: number): Upload {
  const etags: string[] = [];
  let uploadId: string | null = null;
  let held: Buffer[] = [];
  let heldBytes = 0;

  const takeHeld = (): Buffer => {
    const body = Buffer.concat(held);
    held = [];
    heldBytes = 0;
    return body;
  };
  const begin = async (): Promise<string> => {
    const { text } = await send({ method: 'POST', key, query: { uploads: '' } });
    return plainText(/<UploadId>(.*?)<\/UploadId>/s.exec(text)?.[1] ?? '');
  };
  const sendPart = async (): Promise<void> => {
    uploadId ??= await begin();
    const query = { partNumber: String(etags.length + 1), uploadId };
    const { etag } = await send({ method: 'PUT', key, query, body: takeHeld() });
    etags.push(etag ?? '');
  };
  const add = async (chunk: Buffer): Promise<void> => {
    held.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes >= partBytes * (1 + Math.floor(etags.length / partsPerSize))) await sendPart();
  };
  const complete = async (): Promise<void> => {
    if (uploadId === null) return void (await send({ method: 'PUT', key, body: takeHeld() }));
    if (heldBytes > 0) await sendPart();
    const parts = etags.map(
      (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
    );
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
    const headers = { 'content-type': 'application/xml' };
    const { text } = await send({ method: 'POST', key, query: { uploadId }, headers, body });
    // S3 answers 200 before it knows whether it can put the parts together.
    const [, code] = /<Error>.*?<Code>(\w+)<\/Code>/s.exec(text) ?? [];
    if (code !== undefined)
      throw new UserError(`S3 could not put ${key} together (${code}): try again later.`);
  };

  const after = (work: Promise<void>, done: (error?: Error) => void): void =>
    void work.then(() => done(), done);
  return {
    file: new Writable({
      write: (chunk: Buffer, _, done) => after(add(chunk), done),
      final: (done) => after(complete(), done),
    }),
    abort: async () => {
      if (uploadId === null) return;
      await send({ method: 'DELETE', key, query: { uploadId }, expects: [404] }).catch(() => {});
    },
  };
}
