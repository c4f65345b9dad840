import { addressPattern } from './address-pattern';

/** Fields that hold nothing but an address: there the whole of it must be the one that is looked for. */
const ADDRESS_FIELDS = new Set(['email', 'recipient', 'recipient_text', 'to', 'toText', 'from_email', 'fromEmail']);
/** The characters of base64 that do not depend on what stands around the text. */
const SHIFTS = [0, 1, 2] as const;

/** Looks for one address in whatever is kept, as text or bytes. */
export class AddressSearch {
  private readonly pattern: RegExp;
  private readonly base64: readonly string[];

  constructor(readonly email: string) {
    this.pattern = addressPattern(email.toLowerCase(), { whole: true });
    this.base64 = [...new Set([email, email.toLowerCase()])].flatMap((text) =>
      SHIFTS.map((shift) => encodedCore(text, shift)),
    );
  }

  /** Whether the value of a field holds it; numbers and the like do not. */
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
   * As plain text in any encoding that keeps ASCII, as UTF-16, and as base64. What is compressed or encrypted cannot be looked into.
   */
  private inBytes(bytes: Uint8Array): boolean {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const latin = buffer.toString('latin1');
    if (this.inText(latin) || this.inText(buffer.toString('utf8'))) return true;
    // UTF-16 is every other byte of ASCII, in either order.
    if (latin.includes('\0') && this.inText(latin.replaceAll('\0', ''))) return true;
    const joined = latin.replace(/[\r\n]/g, '');
    return this.base64.some((core) => joined.includes(core));
  }
}

/** What of the base64 of a text is the same wherever the text stands, when `shift` bytes of its first group come before it. */
function encodedCore(text: string, shift: number): string {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]);
  const whole = Math.floor(bytes.length / 3) * 4;
  return bytes.toString('base64').slice(shift === 0 ? 0 : 4, whole);
}
