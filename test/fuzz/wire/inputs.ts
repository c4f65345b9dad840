import fc, { type Arbitrary } from 'fast-check';
import { AUTH } from '../../smtp/relay/protocol/stub-policy';

/** What a client sends in one session, and where the network splits it. */
export interface WireInput {
  /** One character an octet. */
  text: string;
  /** Lengths of the chunks, repeated until the end. */
  splits: number[];
}

const crlf = (...lines: string[]): string => lines.map((line) => `${line}\r\n`).join('');

const ADDRESSES = [
  'a@a.example',
  'refused@b.example',
  'malformed',
  'fails@c.example',
  '',
  '"a > b"@a.example',
  'x'.repeat(250),
];
const address = fc.constantFrom(...ADDRESSES);
/** Sequences that may be mistaken for the end of a line or of a mail. */
const END = fc.constantFrom(
  ...['\n.\n', '\n.\r\n', '\r.\r', '\r.\r\n', '\r\n.\n', '\r\n.\r', '\r\n.\r\r\n', '\r\r\n.\r\n', '\r\n\0.\r\n'],
  ...['\r\n.', '\r\n..', '\r\n.\r\n', '\n', '\r', '\0', '\r\n', '.'],
);
const command = fc.oneof(
  address.map((from) => `MAIL FROM:<${from}>`),
  fc.constantFrom('MAIL FROM:<a@a.example> SIZE=100', 'MAIL FROM:<a@a.example> SIZE=99999999999', 'mail from:<a@b>'),
  address.map((to) => `RCPT TO:<${to}>`),
  fc.constantFrom('RCPT TO:<b@b.example>', 'DATA', 'data', 'RSET', 'NOOP', 'EHLO c.test', AUTH, 'AUTH LOGIN', 'QUIT'),
  fc.constantFrom('XYZZY', 'Subject: a', 'VRFY a', '', '.', 'RCPT TO:<b@b.example> NOTIFY=NEVER', 'STARTTLS', '*'),
);
const bodyLine = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.constantFrom('Subject: a', '', '.', '..', '. ', '.x', '...', 'text', 'x'.repeat(998)),
  },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(65_536), `.${'x'.repeat(65_536)}`, 'x'.repeat(65_537)) },
  { weight: 20, arbitrary: command },
);
const body = fc
  .array(bodyLine, { maxLength: 6 })
  .map((lines) => crlf(...lines.map((line) => line.replace(/^\./, '..'))));
const raw = fc.string({
  unit: fc.constantFrom('a', '.', '\r', '\n', '\0', ' ', '<', '>', '"', '\\', '\xff'),
  maxLength: 12,
});

/** A mail as it should be sent, perhaps with something in its body that should not be. */
const mail = fc
  .tuple(
    fc.constantFrom('a@a.example', 'c@a.example'),
    fc.array(address, { maxLength: 3 }),
    body,
    fc.option(END, { freq: 1 }),
    body,
  )
  .map(([from, to, first, end, second]) => {
    const head = crlf(`MAIL FROM:<${from}>`, 'RCPT TO:<b@b.example>', ...to.map((one) => `RCPT TO:<${one}>`), 'DATA');
    return `${head}${first}${end ?? ''}${second}.\r\n`;
  });

const piece = fc.oneof(
  { weight: 6, arbitrary: mail },
  { weight: 6, arbitrary: command.map((line) => crlf(line)) },
  { weight: 1, arbitrary: bodyLine.map((line) => crlf(line)) },
  { weight: 1, arbitrary: END },
  { weight: 1, arbitrary: raw },
);

/** A change of single octets somewhere: removed, doubled, or put in. */
interface Damage {
  at: number;
  removed: number;
  added: string;
}
const damage: Arbitrary<Damage> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.integer({ min: 0, max: 3 }),
  added: fc.oneof(END, raw),
});

const damaged = (text: string, { at, removed, added }: Damage): string => {
  const place = Math.floor(at * text.length);
  return text.slice(0, place) + added + text.slice(place + removed);
};

/** Sessions of clients that log in, mostly, and then send mails, commands and what an attacker would. */
export const wireInputs: Arbitrary<WireInput> = fc
  .record({
    start: fc.oneof(
      { weight: 9, arbitrary: fc.constant(crlf('EHLO c.test', AUTH)) },
      { weight: 1, arbitrary: fc.constant('') },
    ),
    pieces: fc.array(piece, { minLength: 1, maxLength: 6 }),
    damages: fc.oneof(
      { weight: 2, arbitrary: fc.constant<Damage[]>([]) },
      { weight: 1, arbitrary: fc.array(damage, { minLength: 1, maxLength: 3 }) },
    ),
    splits: fc.array(fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3_000 })), {
      minLength: 1,
      maxLength: 20,
    }),
  })
  .map(({ start, pieces, damages, splits }) => ({
    text: start + damages.reduce(damaged, pieces.join('')),
    splits,
  }));

/** The input in chunks. */
export function chunksOf({ text, splits }: WireInput): string[] {
  const chunks: string[] = [];
  for (let at = 0, i = 0; at < text.length; i += 1) {
    const length = splits[i % splits.length] ?? 1;
    chunks.push(text.slice(at, at + length));
    at += length;
  }
  return chunks;
}
