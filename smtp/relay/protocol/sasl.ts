/** Decodes base64 (RFC 4648 section 4) of UTF-8; null for anything else. */
export function decodeBase64(text: string): string | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  return decodeUtf8(Buffer.from(text, 'base64'));
}

/** Null for what is not UTF-8. */
export function decodeUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

export interface Credentials {
  username: string;
  password: string;
}

/** The message of PLAIN (RFC 4616). `foreign`: it asks to act as another user; null: it is none. */
export function readPlain(base64: string): Credentials | 'foreign' | null {
  const parts = decodeBase64(base64)?.split('\0') ?? [];
  const [actAs = '', username = '', password = ''] = parts;
  if (parts.length !== 3 || username === '') return null;
  return actAs === '' || actAs === username ? { username, password } : 'foreign';
}
