/**
 * What a member reports to the group when it joins (the Subscription of Kafka's consumer protocol, KIP-429 and
 * KIP-792).
 */
export interface Subscription {
  /** For each topic the member reads, by name, the partitions it holds. */
  owned: ReadonlyMap<string, readonly number[]>;
  /** The generation of the group in which it got them; -1 when not given. */
  generation: number;
}

const int16 = (value: number): Buffer => {
  const buffer = Buffer.alloc(2);
  buffer.writeInt16BE(value);
  return buffer;
};
const int32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
};
const text = (value: string): Buffer => Buffer.concat([int16(Buffer.byteLength(value)), Buffer.from(value)]);

const VERSION = 2;
const NO_USER_DATA = int32(-1);

export const encodeSubscription = ({ owned, generation }: Subscription): Buffer =>
  Buffer.concat([
    int16(VERSION),
    int32(owned.size),
    ...[...owned.keys()].map(text),
    NO_USER_DATA,
    int32(owned.size),
    ...[...owned].flatMap(([topic, partitions]) => [text(topic), int32(partitions.length), ...partitions.map(int32)]),
    int32(generation),
  ]);

/** Reads forward through bytes. */
class Cursor {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  int16(): number {
    this.at += 2;
    return this.bytes.readInt16BE(this.at - 2);
  }

  int32(): number {
    this.at += 4;
    return this.bytes.readInt32BE(this.at - 4);
  }

  text(): string {
    const length = this.int16();
    this.at += length;
    return this.bytes.toString('utf8', this.at - length, this.at);
  }

  skip(length: number): void {
    this.at += Math.max(0, length);
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: Math.max(0, this.int32()) }, read);
  }
}

/** Decodes the subscription of a member of either library. Throws RangeError when the bytes are not a subscription. */
export function decodeSubscription(bytes: Buffer): Subscription {
  const cursor = new Cursor(bytes);
  const version = cursor.int16();
  const owned = new Map(cursor.list(() => [cursor.text(), [] as number[]] as const));
  cursor.skip(cursor.int32());
  if (version < 1) return { owned, generation: -1 };
  for (const [topic, partitions] of cursor.list(() => [cursor.text(), cursor.list(() => cursor.int32())] as const)) {
    owned.get(topic)?.push(...partitions);
  }
  return { owned, generation: version < 2 ? -1 : cursor.int32() };
}
