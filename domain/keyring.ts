import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { HASH_LABELS, type HashLabel, type OlderLabel } from './hash-labels';

const KEY_ID = 'k1';
const MAX_HASHED = 1_000;

/**
 * All keys of the installation, derived from the master secret (HKDF-SHA256, one label per use), so that a leaked
 * derived key reveals nothing about the others.
 */
export class Keyring {
  private readonly pepper: Buffer;
  private readonly addresses: KeyObject;
  private readonly hashes: ReadonlyMap<HashLabel, Buffer>;
  private readonly sealing: Buffer;
  private readonly links: Buffer;
  private readonly returnPaths: Buffer;
  private readonly numbers: Buffer;
  private readonly browsers: Buffer;
  private readonly hashed = new Map<string, string>();

  constructor(masterSecret: string) {
    const derive = (label: string): Buffer => Buffer.from(hkdfSync('sha256', masterSecret, 'kurir', label, 32));
    this.pepper = derive('credentials');
    this.addresses = createSecretKey(derive('addresses'));
    const labels = Object.keys(HASH_LABELS) as HashLabel[];
    this.hashes = new Map(labels.map((label) => [label, derive(label)]));
    this.sealing = derive('sealing');
    this.links = derive('links');
    this.returnPaths = derive('return-paths');
    this.numbers = derive('numbers');
    this.browsers = derive('known-browsers');
  }

  /** Lookup hash of an API key or password: HMAC-SHA256 under the pepper, hex. */
  hashCredential(credential: string): string {
    const known = this.hashed.get(credential);
    if (known) return known;
    const hash = createHmac('sha256', this.pepper).update(credential).digest('hex');
    // Most requests use the same few keys; clearing the cache now and then is cheaper than tracking their order.
    if (this.hashed.size >= MAX_HASHED) this.hashed.clear();
    this.hashed.set(credential, hash);
    return hash;
  }

  /** Keyed hash of a lower-case address, 128 bits as base64url: replaces the address where it must not be stored. */
  hashAddress(address: string): string {
    // As text: a Buffer of the digest takes a quarter more, and this is done for every message.
    const digest = createHmac('sha256', this.addresses).update(address).digest('binary');
    return Buffer.from(digest.slice(0, 16), 'latin1').toString('base64url');
  }

  /** Keyed hash of a text for one use, 256 bits as base64url, so that different texts never collide. */
  hash(label: HashLabel, text: string): string {
    return createHmac('sha256', this.hashes.get(label)!).update(text).digest('base64url');
  }

  /**
   * The hash of a text as it was stored before uses had keys of their own, to compare with: nothing new is stored so.
   */
  olderHash(_label: OlderLabel, text: string): string {
    return this.hash('callers-keys', text);
  }

  /**
   * Keyed hash of the facts by which a mail of the relay is known again, 512 bits as hex: longer than any key of a
   * caller. The key is that of callers' keys, since these are kept as long; SHA-512 tells them apart.
   */
  hashMail(facts: readonly (string | number)[]): string {
    return createHmac('sha512', this.hashes.get('callers-keys')!).update(JSON.stringify(facts)).digest('hex');
  }

  /** Encrypts with AES-256-GCM under a key id, bound to `context` (what the secret belongs to). */
  seal(plain: string, context: string): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.sealing, iv);
    cipher.setAAD(Buffer.from(`${KEY_ID}:${context}`));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return `${KEY_ID}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
  }

  /** Returns the sealed text; throws when it was changed, moved to another context, or sealed under another secret. */
  open(sealed: string, context: string): string {
    const [keyId, payload] = sealed.split('.');
    if (keyId !== KEY_ID || !payload) throw new Error('sealed under an unknown key');
    const bytes = Buffer.from(payload, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.sealing, bytes.subarray(0, 12), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(`${KEY_ID}:${context}`));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  }

  /**
   * A number from 0 as 22 characters of base64url that show nothing of it, always the same within a `context`: one
   * block of AES-256 over the context and the number.
   */
  hideNumber(number: number, context: string): string {
    const block = Buffer.concat([contextOf(context), Buffer.alloc(8)]);
    block.writeBigUInt64BE(BigInt(number), 8);
    const cipher = createCipheriv('aes-256-ecb', this.numbers, null).setAutoPadding(false);
    return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url');
  }

  /** The hidden number; null when the text is not one of this context. */
  revealNumber(hidden: string, context: string): number | null {
    const bytes = Buffer.from(hidden, 'base64url');
    if (bytes.length !== 16) return null;
    const decipher = createDecipheriv('aes-256-ecb', this.numbers, null).setAutoPadding(false);
    const block = Buffer.concat([decipher.update(bytes), decipher.final()]);
    return block.subarray(0, 8).equals(contextOf(context)) ? Number(block.readBigUInt64BE(8)) : null;
  }

  /** Says that a browser has signed in: 128 bits as base64url over the text. */
  sealBrowser(text: string): string {
    return createHmac('sha256', this.browsers).update(text).digest().subarray(0, 16).toString('base64url');
  }

  /** 32 bytes derived from a message id; the signatures of its public links are parts of them. */
  linkDigest(messageId: string): Buffer {
    return createHmac('sha256', this.links).update(messageId).digest();
  }

  /** 32 bytes derived from a message id; the signature of its return path is part of them. */
  returnPathDigest(messageId: string): Buffer {
    return createHmac('sha256', this.returnPaths).update(messageId).digest();
  }
}

const contextOf = (context: string): Buffer => createHash('sha256').update(context).digest().subarray(0, 8);
