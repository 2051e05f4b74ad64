import { gzipSync } from 'node:zlib';
import { UserError } from '../../core/errors.ts';

/** Maximum length of a start script. Source: docs/marketplace.md#8-limits. */
const maxOnstartCharacters = 4_048;

/** Shell command that turns `onstart.sh` into an equivalent `short-onstart.sh`; needs gzip and base64. */
export const compressCommand =
  `printf 'eval "$(echo %s | base64 -d | gzip -d)"\\n' ` +
  `"$(gzip -9c < onstart.sh | base64 | tr -d '\\n')" > short-onstart.sh`;

/**
 * Returns why a start script cannot be sent, with a command that compresses it; null: it can. Counts characters as
 * UTF-16 units, never fewer than the market does. Source: docs/marketplace.md#8-limits.
 */
export function findOnstartProblem(script: string): string | null {
  if (script.includes('\0')) return 'onstart contains U+0000, which no shell accepts';
  if (script.length <= maxOnstartCharacters) return null;
  const sizes = `onstart has ${script.length} characters and the market accepts ${maxOnstartCharacters}`;
  return `${sizes}: use --compress-onstart, or shorten the file with: ${compressCommand}`;
}

/**
 * Returns an equivalent script that the market accepts: `script` itself if short enough, else one line that unpacks and
 * runs it in the same shell (a script with a `#!` line: from a file, with its interpreter). Throws UserError if that is
 * too long as well.
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
    `onstart has ${script.length} characters, ${short.length} compressed, and the market accepts ` +
      `${maxOnstartCharacters}: keep the script in the image or at an address and let onstart fetch it.`,
  );
}
