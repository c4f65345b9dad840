import { describe, expect, test } from '@jest/globals';
import { messageLinks } from '../../../domain/messages/message-tokens';
import { TEST_KEYRING } from '../../support/builders';
import { harakaRecord, hookApp, kumoRecord, MESSAGE_ID, signedSender } from './hook-app';

/** What a record makes of the message: kind, class, whether it is hard, and the text. */
async function read(record: object): Promise<unknown[]> {
  const { post, published } = hookApp();
  await post(record).expect(200);
  return published.map(({ feedback: { kind, class: found, hard, text } }) => [kind, found, hard, text]);
}

describe('a log record of KumoMTA', () => {
  test.each([
    ['Delivery', 250, '2.0.0', 'OK id=8a54', ['delivered', null, false]],
    ['TransientFailure', 451, '4.7.1', 'Greylisted', ['delayed', null, false]],
    ['Bounce', 550, '5.1.1', 'User unknown', ['bounced', 'address_unknown', true]],
    ['Bounce', 552, '5.2.2', 'Mailbox full', ['bounced', 'mailbox_full', false]],
    ['Bounce', 550, '5.7.1', 'Blocked using zen.spamhaus.org', ['bounced', 'sender_blocked', false]],
    ['OOB', 550, '5.1.1', 'no such user', ['bounced', 'address_unknown', true]],
    ['Expiration', 551, '5.4.7', 'Next delivery time would be too late', ['expired', 'expired', false]],
    ['AdminBounce', 551, '5.7.1', 'Administrator bounced with reason: test', ['expired', 'expired', false]],
  ])('%s %i %s %s', async (type, code, status, content, ends) => {
    expect(await read(kumoRecord(type, code, status, content))).toEqual([[...ends, `${code} ${status} ${content}`]]);
  });

  test.each(['Reception', 'Rejection', 'DeferredInjectionRebind'])(
    '%s says nothing about the outcome',
    async (type) => {
      expect(await read(kumoRecord(type, 250, '2.0.0', 'OK'))).toEqual([]);
    },
  );

  test('without a response, or with one in part', async () => {
    const response = { code: 421, content: 'try later' };
    expect(await read(kumoRecord('Delay', 0, '', '', { response: null }))).toEqual([['delayed', null, false, '']]);
    expect(await read(kumoRecord('TransientFailure', 0, '', '', { response }))).toEqual([
      ['delayed', null, false, '421 try later'],
    ]);
  });

  test('an out-of-band bounce and a complaint count as from a stranger, all else as from the server', async () => {
    const { post, published } = hookApp();
    const types = ['Delivery', 'Bounce', 'OOB'];
    await post(types.map((type) => kumoRecord(type, 550, '5.1.1', 'User unknown')));
    expect(published.map(({ feedback }) => feedback.trusted)).toEqual([true, true, false]);
  });
});

describe('a complaint that KumoMTA passes on', () => {
  const feedback = (report: object): object =>
    kumoRecord('Feedback', 250, '2.0.0', 'OK', {
      sender: 'fbl@provider.example',
      recipient: 'fbl@bounce.melati.example',
      feedback_report: { feedback_type: 'abuse', user_agent: 'P/1', version: 1, ...report },
    });
  const { unsubscribe } = messageLinks(TEST_KEYRING, 'https://m.melati.example', MESSAGE_ID);
  const COMPLAINT = [['complaint', null, false, 'abuse']];

  test('is found by our envelope sender', async () => {
    expect(await read(feedback({ original_mail_from: `<${signedSender()}>` }))).toEqual(COMPLAINT);
  });

  test('is found by the unsubscribe link in the mail, with the recipient taken out', async () => {
    const mail = `From: x@melati.example\nTo: <redacted>\nList-Unsubscribe: <${unsubscribe}>\n\nHalo\n`;
    expect(await read(feedback({ original_mail_from: '<redacted>', original_message: mail }))).toEqual(COMPLAINT);
  });

  test('is ignored without a signature, and when it is no complaint', async () => {
    const mail = `Message-ID: <${MESSAGE_ID}@melati.example>\nX-Message-id: ${MESSAGE_ID}\n\nHalo\n`;
    expect(await read(feedback({ original_message: mail }))).toEqual([]);
    expect(await read(feedback({ feedback_type: 'not-spam', original_mail_from: signedSender() }))).toEqual([]);
  });
});

describe("a record of Haraka's outbound queue", () => {
  const refused = {
    dsn_status: '5.1.1',
    dsn_message: '550 5.1.1 User unknown',
    undelivered_reason: 'Error: all failed',
  };
  const late = {
    dsn_status: '5.4.1',
    dsn_message: 'Connection timed out',
    undelivered_reason: 'Too many failures (x)',
  };
  test.each([
    ['delivered', { smtp_response: '250 2.0.0 OK' }, ['delivered', null, false, '250 2.0.0 OK']],
    ['deferred', { dsn_status: 451, dsn_message: 'Greylisted' }, ['delayed', null, false, '451 Greylisted']],
    ['bounced', refused, ['bounced', 'address_unknown', true, '5.1.1 550 5.1.1 User unknown']],
    [
      'bounce',
      { dsn_status: '552', dsn_message: '552 5.2.2 Full' },
      ['bounced', 'mailbox_full', false, '552 5.2.2 Full'],
    ],
    [
      'bounced',
      { undelivered_reason: 'No MX for toko.example' },
      ['bounced', 'domain_unknown', true, expect.any(String)],
    ],
    ['bounced', late, ['expired', 'expired', false, '5.4.1 Connection timed out']],
  ])('%s %j', async (type, fields, ends) => {
    expect(await read(harakaRecord(type, fields))).toEqual([ends]);
  });
});
