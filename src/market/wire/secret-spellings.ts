// Repetitions are bounded, so that a long run of escapes in a response takes little time.

/** Shorter pieces would match text that is not secret. */
const minEncodedLength = 8;

/**
 * Returns a pattern that finds a secret in outside text in any spelling: as it is or in another case, with any
 * characters percent-encoded (also twice) or escaped as in JSON, JavaScript or HTML, or as base64, base64url or hex,
 * alone or within a longer text.
 */
export function spellingsOf(secret: string): RegExp {
  const wellFormed = secret.toWellFormed();
  const letters = [...wellFormed].map(spellingsOfChar).join('');
  const encoded = encodedForms(Buffer.from(wellFormed)).map(escapeRegExp);
  return new RegExp([letters, ...encoded].join('|'), 'gi');
}

function spellingsOfChar(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const bytes = [...Buffer.from(char)];
  const hex = code.toString(16);
  const percent = bytes.map((byte) => `%(?:25){0,8}${byte.toString(16).padStart(2, '0')}`).join('');
  const units = char.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  const forms = [
    `\\\\{0,8}${escapeRegExp(char)}`,
    percent,
    units.map((unit) => `\\\\{1,8}u${unit}`).join(''),
    `\\\\{1,8}u\\{0{0,6}${hex}\\}`,
    ...(code < 0x100 ? [`\\\\{1,8}x${hex.padStart(2, '0')}`] : []),
    `&(?:amp;){0,8}#0{0,6}${code};?`,
    `&(?:amp;){0,8}#x0{0,6}${hex};?`,
    ...(namedEntities[char] === undefined ? [] : [`&(?:amp;){0,8}${namedEntities[char]};`]),
    ...(char === ' ' ? ['\\+'] : []),
  ];
  return `(?:${forms.join('|')})`;
}

const namedEntities: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
  '/': 'sol',
  '+': 'plus',
  '=': 'equals',
};

/** Returns hex and base64 for each position of the secret in encoded text, without the characters it shares. */
function encodedForms(bytes: Buffer): string[] {
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].flatMap((before) => {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    const text = shifted.toString('base64').replace(/=+$/, '');
    const begin = Math.ceil((before * 4) / 3);
    const whole = text.slice(begin, Math.floor((shifted.length * 8) / 6));
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [...new Set([hex, ...base64])].filter((form) => form.length >= minEncodedLength);
}

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
