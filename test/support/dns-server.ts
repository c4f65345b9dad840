import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { addressBytes } from '../../domain/webhooks/public-address';

type RecordType = 'A' | 'AAAA' | 'MX' | 'PTR' | 'TXT';
const TYPES: Readonly<Record<string, number>> = { A: 1, PTR: 12, MX: 15, TXT: 16, AAAA: 28 } satisfies Record<
  RecordType,
  number
>;
const NAME_ERROR = 3;
/** What fits into one UDP answer of RFC 1035; more comes over TCP. */
const UDP_ROOM = 512;

/** The root is the empty name. */
const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split('.')
      .filter(Boolean)
      .map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);

function readName(packet: Buffer, from: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = from;
  for (let length = packet[at]!; length !== 0; length = packet[at]!) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);

/** RDATA: TXT in pieces of 255, MX as `<priority> <host>`, PTR as a name, addresses as text. */
function encodeData(type: string, value: string): Buffer {
  if (type === 'A' || type === 'AAAA') return Buffer.from(addressBytes(value) ?? []);
  if (type === 'PTR') return encodeName(value);
  if (type === 'MX') {
    const [priority = '0', host = ''] = value.split(' ');
    return Buffer.concat([u16(Number(priority)), encodeName(host)]);
  }
  const pieces = value.match(/.{1,255}/g) ?? [''];
  return Buffer.concat(pieces.map((piece) => Buffer.from([piece.length, ...Buffer.from(piece)])));
}

/** A DNS server on loopback, over UDP and TCP, with the records of a test. */
export class DnsServer {
  /** Maps `TXT name`, `A name` and so on to the values. */
  readonly records = new Map<string, string[]>();
  /** When set, every query is answered with this RCODE, 2 = SERVFAIL. */
  failing: number | null = null;
  /** When set, only queries of this type fail. */
  failingOn: RecordType | null = null;
  /** When true, no query is answered. */
  silent = false;
  /** Called after each answer was made, with the type of its query; a test changes the records there. */
  onAsked: ((type: string) => void) | null = null;
  /** The queried names, in order. */
  readonly asked: string[] = [];
  /** Number of queries over TCP. */
  overTcp = 0;

  private constructor(
    private readonly udp: Socket,
    private readonly tcp: Server,
  ) {}

  static async start(): Promise<DnsServer> {
    const [udp, tcp] = [createSocket('udp4'), createServer()];
    const server = new DnsServer(udp, tcp);
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    udp.bind((tcp.address() as AddressInfo).port, '127.0.0.1');
    await once(udp, 'listening');
    udp.on('message', (packet, peer) => {
      const answer = server.answer(packet, UDP_ROOM);
      if (!server.silent) udp.send(answer, peer.port, peer.address);
    });
    tcp.on('connection', (socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (packet) => {
        server.overTcp += 1;
        const answer = server.answer(packet.subarray(2), 65_535);
        socket.end(Buffer.concat([u16(answer.length), answer]));
      });
    });
    return server;
  }

  get address(): string {
    return `127.0.0.1:${(this.tcp.address() as AddressInfo).port}`;
  }

  set(type: RecordType, name: string, ...values: string[]): void {
    this.records.set(`${type} ${name}`, values);
  }

  async stop(): Promise<void> {
    this.udp.close();
    this.tcp.close();
    await once(this.tcp, 'close');
  }

  private answer(packet: Buffer, room: number): Buffer {
    const { name, end } = readName(packet, 12);
    const asked = packet.readUInt16BE(end);
    const type = Object.keys(TYPES).find((known) => TYPES[known] === asked) ?? '';
    this.asked.push(name);
    const failing = this.failingOn === null || this.failingOn === type ? this.failing : null;
    const values = failing === null ? (this.records.get(`${type} ${name}`) ?? []) : [];
    const known = [...this.records.keys()].some((key) => key.endsWith(` ${name}`));
    const rcode = failing ?? (known ? 0 : NAME_ERROR);
    const answers = values.map((value) => {
      const data = encodeData(type, value);
      return Buffer.concat([u16(0xc00c), u16(asked), u16(1), u16(0), u16(60), u16(data.length), data]);
    });
    this.onAsked?.(type);
    const question = packet.subarray(12, end + 4);
    const whole = (flags: number, rows: Buffer[]): Buffer =>
      Buffer.concat([packet.subarray(0, 2), u16(flags), u16(1), u16(rows.length), u16(0), u16(0), question, ...rows]);
    const complete = whole(0x8180 | rcode, answers);
    return complete.length <= room ? complete : whole(0x8380 | rcode, []);
  }
}
