/** What a member tells the group when it joins (the consumer protocol's Subscription of Kafka, KIP-429 and KIP-792). */
export interface Subscription {
  topic: string;
  /** The partitions that the member holds. */
  owned: readonly number[];
  /** The generation of the group in which it got them; -1 when it does not say. */
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

export const encodeSubscription = ({ topic, owned, generation }: Subscription): Buffer =>
  Buffer.concat([
    int16(VERSION),
    int32(1),
    text(topic),
    NO_USER_DATA,
    int32(1),
    text(topic),
    int32(owned.length),
    ...owned.map(int32),
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

/** What a member of either library says of the topic. Throws RangeError on bytes that are none. */
export function decodeSubscription(bytes: Buffer, topic: string): Subscription {
  const cursor = new Cursor(bytes);
  const version = cursor.int16();
  cursor.list(() => cursor.text());
  cursor.skip(cursor.int32());
  if (version < 1) return { topic, owned: [], generation: -1 };
  const held = cursor.list(() => ({ topic: cursor.text(), partitions: cursor.list(() => cursor.int32()) }));
  const owned = held.filter((one) => one.topic === topic).flatMap(({ partitions }) => partitions);
  return { topic, owned, generation: version < 2 ? -1 : cursor.int32() };
}
