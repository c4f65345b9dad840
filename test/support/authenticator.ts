import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** CBOR (RFC 8949), as far as an authenticator writes it. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const entries = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([head(5, entries.length), ...entries.flatMap((entry) => entry.map(cbor))]);
}

function head(type: number, length: number): Buffer {
  const major = type << 5;
  if (length < 24) return Buffer.from([major | length]);
  return length < 256 ? Buffer.from([major | 24, length]) : Buffer.from([major | 25, length >> 8, length & 255]);
}

const raw = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url');
const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** Key pairs, and their public key in COSE (RFC 9053). */
const KINDS = {
  ES256: () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x, y } = pair.publicKey.export({ format: 'jwk' });
    return { pair, cose: [[1, 2] as const, [3, -7], [-1, 1], [-2, raw(x)], [-3, raw(y)]] };
  },
  RS256: () => {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const { n, e } = pair.publicKey.export({ format: 'jwk' });
    return { pair, cose: [[1, 3] as const, [3, -257], [-1, raw(n)], [-2, raw(e)]] };
  },
  Ed25519: () => {
    const pair = generateKeyPairSync('ed25519');
    const { x } = pair.publicKey.export({ format: 'jwk' });
    return { pair, cose: [[1, 1] as const, [3, -8], [-1, 6], [-2, raw(x)]] };
  },
} satisfies Record<string, () => { pair: { privateKey: KeyObject }; cose: (readonly [number, number | Buffer])[] }>;

export type PasskeyKind = keyof typeof KINDS;
export const PASSKEY_KINDS = Object.keys(KINDS) as PasskeyKind[];

/** What a device says, where it is not what an honest one would. */
export interface Bent {
  /** Nobody showed a finger or a PIN. */
  unverified?: true;
  absent?: true;
  origin?: string;
  site?: string;
  counter?: number;
  type?: string;
  /** Signs with a key of its own. */
  foreignKey?: true;
  /** In place of the signature. */
  signature?: Buffer;
}

/** A device that makes one passkey, without a browser: answers are what `navigator.credentials` would give. */
export class Authenticator {
  readonly id = randomBytes(16);
  counter = 0;
  private readonly privateKey: KeyObject;
  private readonly cose: Buffer;

  constructor(
    private readonly kind: PasskeyKind,
    private readonly origin: string,
  ) {
    const { pair, cose } = KINDS[kind]();
    this.privateKey = pair.privateKey;
    this.cose = cbor(new Map<unknown, unknown>(cose as [number, number | Buffer][]));
  }

  /** The answer to a registration. */
  register(challenge: string, bent: Bent = {}): string {
    const { data } = this.said('webauthn.create', challenge, bent);
    const length = Buffer.from([this.id.length >> 8, this.id.length & 255]);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, this.cose]);
    const authData = Buffer.concat([this.authData(bent, 0x40), attested]);
    const statement = new Map<unknown, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.answer({ clientDataJSON: data, attestationObject: cbor(statement), transports: ['internal'] });
  }

  /** The answer to a sign-in. Counts one up. */
  signIn(challenge: string, bent: Bent = {}): string {
    this.counter += 1;
    const { data } = this.said('webauthn.get', challenge, bent);
    const authenticatorData = this.authData(bent, 0);
    const signed = Buffer.concat([authenticatorData, sha256(data)]);
    const key = bent.foreignKey ? KINDS[this.kind]().pair.privateKey : this.privateKey;
    const signature = bent.signature ?? sign(this.kind === 'Ed25519' ? null : 'sha256', signed, key);
    return this.answer({ clientDataJSON: data, authenticatorData, signature });
  }

  private said(type: string, challenge: string, bent: Bent): { data: Buffer } {
    const said = { type: bent.type ?? type, challenge, origin: bent.origin ?? this.origin, crossOrigin: false };
    return { data: Buffer.from(JSON.stringify(said)) };
  }

  private authData({ unverified, absent, site, counter = this.counter }: Bent, flags: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const all = flags | (absent ? 0 : 0x01) | (unverified ? 0 : 0x04);
    return Buffer.concat([sha256(site ?? new URL(this.origin).hostname), Buffer.from([all]), count]);
  }

  private answer(response: Record<string, Buffer | string[]>): string {
    const id = this.id.toString('base64url');
    const texts = Object.entries(response).map(([name, value]) => [
      name,
      Buffer.isBuffer(value) ? value.toString('base64url') : value,
    ]);
    const rest = { type: 'public-key', clientExtensionResults: {} };
    return JSON.stringify({ id, rawId: id, response: Object.fromEntries(texts), ...rest });
  }
}
