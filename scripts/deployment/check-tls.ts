import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeCertificates } from './make-certificates.ts';
import { type OwnPostgres, startPostgres } from './own-postgres.ts';
import { giveAway, makeFolder } from './run-program.ts';
import { type Expect, refusalOf, startChecked } from './use-service.ts';

/** Tries a server with TLS: what verifies is used, and what does not is refused with one line. */
export async function checkTls(plain: OwnPostgres, expect: Expect): Promise<void> {
  const folder = await makeFolder('certificates');
  const { authority, certificate, key } = await makeCertificates(folder, 'localhost');
  const other = await makeCertificates(await makeFolder('certificates'), 'localhost');
  const server = await startPostgres(
    ['ssl=on', 'ssl_cert_file=server.pem', 'ssl_key_file=server.key'],
    async (own) => {
      for (const [from, name] of [
        [certificate, 'server.pem'],
        [key, 'server.key'],
      ] as const) {
        await copyFile(from, join(own, 'data', name));
        await giveAway(join(own, 'data', name));
      }
    },
  );
  await server.run('create database offerbook');
  const addressWith = (mode: string, root: string): string =>
    server.url(
      'offerbook',
      'offerbook',
      `sslmode=${mode}${root === '' ? '' : `&sslrootcert=${encodeURIComponent(root)}`}`,
    );
  for (const [mode, root] of [
    ['verify-full', authority],
    ['verify-ca', authority],
    ['require', ''],
  ] as const) {
    const { stop } = await startChecked({ DATABASE_URL: addressWith(mode, root) });
    await stop();
    expect(true, `sslmode=${mode} is used`);
  }
  const refused = [
    {
      address: addressWith('verify-full', other.authority),
      words: /certificate is not of an authority that is trusted .*sslrootcert/,
    },
    {
      address: addressWith('verify-full', ''),
      words: /certificate is not of an authority that is trusted .*sslrootcert/,
    },
    {
      address: addressWith('verify-full', authority).replace('localhost', '127.0.0.1'),
      words: /for another host name/,
    },
    { address: plain.url('postgres', 'offerbook', 'sslmode=require'), words: /no TLS/ },
  ];
  for (const { address, words } of refused) {
    const said = await refusalOf({ DATABASE_URL: address });
    expect(words.test(said) && !said.includes('\n'), `${address} is refused`, said);
  }
}
