import { requireTextLength } from '@millrace/rules';

const ALPHABETS = {
  base32: '0123456789ABCDEFGHIJKLMNOPQRSTUV',
  base32human: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
} as const;

type Base32 = keyof typeof ALPHABETS;
type Encoding = Base32 | 'base16' | 'base64' | 'base64url';

export function encodeBase32(text: string, encoding: Base32, omitPadding: boolean): string {
  requireTextLength(text.length * 2);
  const alphabet = ALPHABETS[encoding];
  let out = '';
  let bits = 0;
  let value = 0;
  for (const byte of Buffer.from(text)) {
    value = ((value & 0xff) << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      out += alphabet.charAt((value >> bits) & 31);
    }
  }
  if (bits > 0) out += alphabet.charAt((value << (5 - bits)) & 31);
  return omitPadding ? out : out.padEnd(Math.ceil(out.length / 8) * 8, '=');
}

const FORMS: Readonly<Record<Encoding, RegExp>> = {
  base16: /^(?:[0-9A-Fa-f]{2})*$/,
  base32: /^[0-9A-Va-v]*=*$/,
  base32human: /^[A-Za-z2-7]*=*$/,
  base64: /^[A-Za-z0-9+/]*=*$/,
  base64url: /^[\w-]*=*$/,
};

/** Throws for a text that is not encoded this way. */
export function decodedText(text: string, encoding: Encoding): string {
  if (!FORMS[encoding].test(text)) throw new Error(`the text is not ${encoding}`);
  switch (encoding) {
    case 'base16':
      return Buffer.from(text, 'hex').toString();
    case 'base64':
    case 'base64url':
      return Buffer.from(text, encoding).toString();
    default:
      return decodeBase32(text, ALPHABETS[encoding]);
  }
}

function decodeBase32(text: string, alphabet: string): string {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const letter of text.replace(/=+$/, '').toUpperCase()) {
    value = ((value << 5) | alphabet.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 0xff);
    }
  }
  return Buffer.from(bytes).toString();
}

/** As forms are sent: letters, digits, `.`, `-`, `*` and `_` stay, a space becomes `+`. */
export function encodeUrlPart(text: string, charset: string): string {
  requireTextLength(text.length * 3);
  const bytes = isLatin1(charset) ? Buffer.from(text, 'latin1') : Buffer.from(text);
  let out = '';
  for (const byte of bytes) {
    const letter = String.fromCharCode(byte);
    if (/[A-Za-z0-9.*_-]/.test(letter)) out += letter;
    else out += letter === ' ' ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

/** Throws for a text with incomplete escapes. */
export function decodeUrlPart(text: string, charset: string): string {
  const broken = /%(?![0-9A-Fa-f]{2})/.exec(text);
  if (broken !== null) throw new Error(`the escape at character ${broken.index + 1} is not complete`);
  const encoding = isLatin1(charset) ? 'latin1' : 'utf8';
  return text
    .replaceAll('+', ' ')
    .replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (run) =>
      Buffer.from(run.replaceAll('%', ''), 'hex').toString(encoding),
    );
}

function isLatin1(charset: string): boolean {
  switch (charset.toUpperCase()) {
    case 'UTF-8':
    case 'UTF8':
      return false;
    case 'ISO-8859-1':
    case 'LATIN1':
    case 'US-ASCII':
      return true;
    default:
      throw new Error(`"${charset}" is not a character set that can be used here; use UTF-8 or ISO-8859-1`);
  }
}
