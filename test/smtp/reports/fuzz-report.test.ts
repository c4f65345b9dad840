import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readReport } from '../../../smtp/reports/report-reader';
import { builtInRules } from '../../../domain/bounces/bounce-rules';
import { manyGroups, manyMarks, PROSE } from '../../e2e/hostile-inputs';
import * as samples from './samples';
import { untidyMail, UNTIDY_MAILS } from './untidy-mails';

const ID = '01948f3a-7c00-7abc-8def-000000000001';
/** Much more than any of these takes: only what grows faster than the mail is slower. ms of processor time. */
const SLOW = 3_000;
const STATUS_PART = /message\/(?:(?:global-)?delivery-status|feedback-report)/i;

const MAILS: readonly Buffer[] = [
  ...Object.values(samples).filter((sample) => Buffer.isBuffer(sample)),
  ...UNTIDY_MAILS.map((mail) => untidyMail(mail)),
];

/** Whatever the bytes: it ends, soon, with few reports, and words of a person never punish. */
async function holds(raw: Buffer, fromNull: boolean): Promise<void> {
  const before = process.cpuUsage();
  const job = {
    bytes: new Uint8Array(raw),
    bounced: [{ id: ID, localPart: 'b-1' }],
    toFeedback: true,
    from: fromNull ? '' : 'x@y.example',
  };
  const { mail, marks } = await readReport(job, builtInRules);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(SLOW);
  expect(mail.reports.length).toBeLessThanOrEqual(110);
  for (const { text, class: found, hard } of mail.reports) {
    expect(text).not.toMatch(/\p{Cc}/u);
    expect([...text].length).toBeLessThanOrEqual(500);
    if (found === null) expect(hard).toBe(false);
  }
  expect(mail.unread?.length ?? 0).toBeLessThanOrEqual(2_000);
  for (const kinds of marks) for (const found of kinds) expect(found.length).toBeLessThanOrEqual(50);
  const text = raw.toString('latin1');
  if (!fromNull && !/auto-submitted|return-path/i.test(text) && !STATUS_PART.test(text))
    expect(mail.reports).toEqual([]);
}

const TOKENS = [
  ...[
    '\r\n',
    '\r\n\r\n',
    '\n',
    '--',
    '--R',
    '\r\n--R\r\n',
    '--R--',
    '<',
    '>',
    '"',
    '=',
    '=.',
    '=?utf-8?Q?',
    '?=',
    ':',
    ';',
  ],
  ...['Content-Type: multipart/report; boundary=R\r\n', 'Content-Type: message/delivery-status\r\n\r\n'],
  ...[
    'Content-Type: message/rfc822\r\n\r\n',
    'Content-Type: message/feedback-report\r\n\r\n',
    'Feedback-Type: abuse\r\n',
  ],
  ...['Content-Transfer-Encoding: base64\r\n', 'Content-Transfer-Encoding: quoted-printable\r\n', 'charset=utf-16'],
  ...[
    'Action: failed\r\n',
    'Status: 5.1.1\r\n',
    'Final-Recipient: rfc822; a@b.example\r\n',
    'From: MAILER-DAEMON@x\r\n',
  ],
  ...[
    'Subject: failure notice\r\n',
    'user unknown',
    '550 5.1.1',
    `b-${'0'.repeat(32)}-${'0'.repeat(16)}@x`,
    '\0',
    '\xff',
  ],
];

interface Mutation {
  at: number;
  length: number;
  text: string | null;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(4_000),
  length: fc.nat(80),
  text: fc.option(fc.oneof(fc.constantFrom(...TOKENS), fc.string({ unit: 'binary', maxLength: 4 }))),
});

/** Replaces a stretch by a text, or repeats it. */
function mutate(mail: Buffer, { at, length, text }: Mutation): Buffer {
  const start = at % (mail.length + 1);
  const put =
    text === null ? Buffer.concat(Array<Buffer>(30).fill(mail.subarray(start, start + length))) : Buffer.from(text);
  return Buffer.concat([mail.subarray(0, start), put, mail.subarray(start + length)]);
}

describe('Whatever comes to a bounce address', () => {
  test('any bytes', async () => {
    const bytes = fc.uint8Array({ maxLength: 4_000 });
    await fc.assert(fc.asyncProperty(bytes, fc.boolean(), (some, fromNull) => holds(Buffer.from(some), fromNull)));
  });

  test('any order of the pieces of reports', async () => {
    const pieces = fc.array(fc.constantFrom(...TOKENS, 'b', ' ', '\t'), { maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(pieces, fc.boolean(), (some, fromNull) => holds(Buffer.from(some.join(''), 'latin1'), fromNull)),
    );
  });

  test('reports that were changed', async () => {
    const changed = fc.tuple(fc.constantFrom(...MAILS), fc.array(mutation, { minLength: 1, maxLength: 8 }));
    await fc.assert(
      fc.asyncProperty(changed, fc.boolean(), ([mail, mutations], fromNull) =>
        holds(mutations.reduce(mutate, mail), fromNull),
      ),
      { numRuns: 500 },
    );
  });

  test.each([
    ['recipients without end', () => manyGroups(256_000)],
    ['marks without end', () => manyMarks(256_000)],
    ...PROSE,
    ['status parts', () => parts('Content-Type: message/delivery-status\r\n\r\nAction: failed\r\n\r\n')],
    [
      'attached mails',
      () => parts('Content-Type: message/rfc822\r\n\r\nSubject: failure notice\r\n\r\nuser unknown\r\n'),
    ],
    [
      'folded fields',
      () => parts(`Content-Type: message/delivery-status\r\n\r\nAction: failed\r\n${' x\r\n'.repeat(8_000)}`),
    ],
  ] as const)('mails that are made to take long: %s', async (_what, make) => {
    await holds(make(), true);
  });
});

const parts = (part: string): Buffer =>
  Buffer.from(
    `Content-Type: multipart/mixed; boundary=R\r\n\r\n${`--R\r\n${part}`.repeat(256_000 / (part.length + 5))}--R--\r\n`,
  );
