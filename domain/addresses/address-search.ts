import { addressPattern } from './address-pattern';

/** Fields that hold only an address: their whole value must be the address searched for. */
const ADDRESS_FIELDS = new Set(['email', 'recipient', 'recipient_text', 'to', 'toText', 'from_email', 'fromEmail']);
/** The base64 characters that do not depend on the surrounding bytes. */
const SHIFTS = [0, 1, 2] as const;

/** Searches stored text or bytes for one address. */
export class AddressSearch {
  private readonly pattern: RegExp;
  private readonly base64: readonly string[];

  constructor(readonly email: string) {
    this.pattern = addressPattern(email.toLowerCase(), { whole: true });
    this.base64 = [...new Set([email, email.toLowerCase()])].flatMap((text) =>
      SHIFTS.map((shift) => encodedCore(text, shift)),
    );
  }

  /** True when the value of a field contains the address; always false for numbers and the like. */
  inField(field: string, value: unknown): boolean {
    if (typeof value === 'string') return ADDRESS_FIELDS.has(field) ? this.isAddress(value) : this.inText(value);
    return value instanceof Uint8Array && this.inBytes(value);
  }

  inText(text: string): boolean {
    return text.search(this.pattern) >= 0;
  }

  private isAddress(text: string): boolean {
    const [found] = text.match(this.pattern) ?? [];
    return found === text.trim();
  }

  /**
   * Searches as plain text in any encoding that keeps ASCII, as UTF-16, and as base64. Compressed or encrypted data
   * cannot be searched.
   */
  private inBytes(bytes: Uint8Array): boolean {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const latin = buffer.toString('latin1');
    if (this.inText(latin) || this.inText(buffer.toString('utf8'))) return true;
    // UTF-16 is ASCII with zero bytes in between, in either byte order.
    if (latin.includes('\0') && this.inText(latin.replaceAll('\0', ''))) return true;
    const joined = latin.replace(/[\r\n]/g, '');
    return this.base64.some((core) => joined.includes(core));
  }
}

/**
 * The part of the base64 of a text that is the same wherever the text occurs, when `shift` bytes of its first group
 * precede it.
 */
function encodedCore(text: string, shift: number): string {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]);
  const whole = Math.floor(bytes.length / 3) * 4;
  return bytes.toString('base64').slice(shift === 0 ? 0 : 4, whole);
}
