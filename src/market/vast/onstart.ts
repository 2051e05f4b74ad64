import { gzipSync } from 'node:zlib';
import { UserError } from '../../core/errors.ts';

/** Characters that a start script may have. Source: docs/marketplace.md#8-limits. */
const maxOnstartCharacters = 4_048;

/** Turns the file `onstart.sh` into a `short-onstart.sh` of the same effect, in any shell with gzip and base64. */
export const compressCommand =
  `printf 'eval "$(echo %s | base64 -d | gzip -d)"\\n' ` +
  `"$(gzip -9c < onstart.sh | base64 | tr -d '\\n')" > short-onstart.sh`;

/**
 * Why a start script cannot be sent, with the ready command that compresses it; null: it can.
 * Characters are counted as UTF-16 units, never fewer than the market counts. Source: docs/marketplace.md#8-limits.
 */
export function findOnstartProblem(script: string): string | null {
  if (script.includes('\0')) return 'onstart holds U+0000, which no shell takes';
  if (script.length <= maxOnstartCharacters) return null;
  const sizes = `onstart has ${script.length} characters and the market takes ${maxOnstartCharacters}`;
  return `${sizes}: use --compress-onstart, or shorten the file with: ${compressCommand}`;
}

/**
 * A script of the same effect that the market takes: `script` itself where it is short enough, else one line
 * that unpacks and runs it in the same shell (a script with a `#!` line: by its interpreter, from a file).
 * Throws UserError where that is too long as well.
 */
export function compressOnstart(script: string): string {
  if (script.length <= maxOnstartCharacters) return script;
  const packed = gzipSync(Buffer.from(script.toWellFormed()), { level: 9 }).toString('base64');
  const unpack = `echo ${packed} | base64 -d | gzip -d`;
  const short = script.startsWith('#!')
    ? `f=$(mktemp) && ${unpack} > "$f" && chmod +x "$f" && exec "$f"\n`
    : `eval "$(${unpack})"\n`;
  if (short.length <= maxOnstartCharacters) return short;
  throw new UserError(
    `onstart has ${script.length} characters, ${short.length} compressed, and the market takes ` +
      `${maxOnstartCharacters}: keep the script in the image or at an address and let onstart fetch it`,
  );
}
