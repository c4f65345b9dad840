import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from '@jest/globals';
import { builtInRules } from '../../../domain/bounces/bounce-rules';
import refusals from './refusals.json';

/** Refusals in the wording of the servers they are named after, with the class each is. */
// spec: docs/contract.md#classes-of-bounces: a refusal is read into a class by codes and words
test.each(refusals.map((row) => [row.server, row.class, row.text]))('%s, %s: %.80s', (_server, expected, text) => {
  expect(builtInRules.classify(text)).toMatchObject({ class: expected });
});

/** The lines of a file of refusals, in their fields; the text is the last one. */
function linesOf(file: string, fields: number): string[][] {
  const lines = readFileSync(join(__dirname, file), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const parts = line.split(' | ');
      return [...parts.slice(0, fields - 1), parts.slice(fields - 1).join(' | ')];
    });
}
const SOFT = linesOf('soft-refusals.txt', 2);
const HARD = linesOf('hard-refusals.txt', 3);

describe('hard or not', () => {
  it.each(SOFT)('%s, soft: %s', (_server, text) => {
    expect(builtInRules.classify(text)).toMatchObject({ hard: false });
  });

  it.each(HARD)('%s, hard, %s: %s', (_server, expected, text) => {
    expect(builtInRules.classify(text)).toMatchObject({ class: expected, hard: true });
  });

  it('is tried with enough of both', () => {
    expect(SOFT.length).toBeGreaterThanOrEqual(150);
    expect(HARD.length).toBeGreaterThanOrEqual(100);
  });
});

describe('the order of evidence', () => {
  const words = HARD.map(([, , text = '']) => text.replace(/\b5\d\d[ -]|\b5\.\d\.\d+/g, ''));

  // spec: docs/contract.md#classes-of-bounces: class 4 is never hard, whatever the words
  it.each(['450 ', '4.2.0 ', '450 4.1.1 ', '4.4.7 ', '5.0.0 450 ', '450 5.1.1 '])(
    'a code of class 4 is never hard, whatever the words: %s',
    (code) => {
      for (const text of words) expect([text, builtInRules.classify(code + text).hard]).toEqual([text, false]);
    },
  );

  // spec: docs/contract.md#classes-of-bounces: a phrase makes hard only where the code allows it
  it.each(['550 5.7.1 ', '554 5.6.0 ', '552 5.2.2 ', '550 5.1.8 ', '550 5.1.7 '])(
    'a code of another subject lets no phrase make hard: %s',
    (code) => {
      const unknown = ['User unknown', 'No such user here', 'Mailbox does not exist', 'This account is disabled'];
      for (const text of unknown) expect([text, builtInRules.classify(code + text).hard]).toEqual([text, false]);
    },
  );

  // spec: docs/contract.md#classes-of-bounces: words of another subject win
  it.each([
    ...['Authentication failed', 'SPF check failed', 'DKIM verification failed', 'Sender address rejected'],
    ...['Relay access denied', 'Rejected for policy reasons', 'Spam detected', 'Your IP is blocked'],
    ...['Message content refused', 'The message has a virus', 'Invalid DNS MX', 'Only members may post'],
  ])('words of another subject win over those of the recipient: %s', (other) => {
    for (const text of [`550 5.1.1 User unknown. ${other}`, `550 ${other}: no such user here`]) {
      expect([text, builtInRules.classify(text).hard]).toEqual([text, false]);
    }
  });
});

describe('blocks by address', () => {
  it.each([
    '550-5.7.1 [192.0.2.1] Our system has detected an unusual rate of 550-5.7.1 unsolicited mail originating from your IP address. To protect our 550-5.7.1 users from spam, mail sent from your IP address has been blocked.',
    '421-4.7.0 [192.0.2.1 15] Our system has detected an unusual rate of unsolicited mail originating from your IP address. To protect our users from spam, mail sent from your IP address has been temporarily blocked.',
    '550 5.7.1 Your IP address has been blocked for sending spam',
    '554 5.7.1 The IP 192.0.2.1 is blocked, see our rate policy',
    '550 5.7.1 IP 192.0.2.1 has been blocked because of excessive spam',
    '550 Mail from your IP address is refused: too many spam messages',
    '554 5.7.1 Message from (192.0.2.1) blocked, your IP is listed by our RBL',
    '550 5.7.0 Spam sent from your IP address; blacklisted',
    '553 5.3.0 DNSBL:RBL 521< 192.0.2.1 >_is_blocked.',
    '550 Your mail server 192.0.2.1 is blocked for sending unsolicited bulk mail',
    '554 Client host [192.0.2.1] blocked; virus sent from this address',
    '550 5.7.1 Your network is blocked for unsolicited mail',
    '550 5.7.1 Blocked IP 192.0.2.1, high spam score',
    '550 5.7.1 Alamat IP 192.0.2.1 diblokir karena spam',
    '550 5.7.1 Ihre IP 192.0.2.1 ist gesperrt wegen Spam',
    "550 5.7.1 L'adresse IP 192.0.2.1 est bloquée pour spam",
    '550 5.7.1 La dirección IP 192.0.2.1 está bloqueada por spam',
  ])('are of class sender_blocked, so that `doctor` warns: %s', (text) => {
    expect(builtInRules.classify(text)).toMatchObject({ class: 'sender_blocked', hard: false });
  });

  it.each([
    ['rate_limited', '421-4.7.28 Gmail has detected an unusual rate of mail originating from your IP address'],
    ['content_refused', '550 5.7.1 This message was blocked because its content is spam'],
    ['content_refused', '554 5.7.1 Recipients were blocked by a content filter: spam'],
  ])('and what is %s stays so', (expected, text) => {
    expect(builtInRules.classify(text)).toMatchObject({ class: expected, hard: false });
  });
});
