import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts the secrets of channels. */
export interface SecretBox {
  /** Returns the text to store; only the same owner can open it. */
  seal: (secret: string, owner: string) => string;
  /** null: sealed with another key or for another owner, or changed since. */
  open: (sealed: string, owner: string) => string | null;
}

const algorithm = 'aes-256-gcm';

/** Returns a box under SECRETS_KEY: AES-256-GCM with a key derived by HKDF, authenticating the owner's id. */
export function createSecretBox(secretsKey: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secretsKey, 'offerbook', 'channel secrets', 32));
  // Distinguishes a secret of another key from a damaged one without revealing the key.
  const keyName = createHash('sha256').update(key).digest('hex').slice(0, 8);
  return {
    seal: (secret, owner) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return ['v1', keyName, iv.toString('base64url'), sealed.toString('base64url')].join('.');
    },
    open: (text, owner) => {
      const [version, name, iv = '', sealed = ''] = text.split('.');
      if (version !== 'v1' || name !== keyName) return null;
      const bytes = Buffer.from(sealed, 'base64url');
      try {
        const decipher = createDecipheriv(algorithm, key, Buffer.from(iv, 'base64url'), { authTagLength: 16 })
          .setAAD(Buffer.from(owner))
          .setAuthTag(bytes.subarray(-16));
        return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}
