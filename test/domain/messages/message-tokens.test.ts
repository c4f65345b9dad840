import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Keyring } from '../../../domain/keyring';
import type { LinkPurpose } from '../../../domain/messages/message-tokens';
import {
  browserLink,
  messageLinks,
  readLinkToken,
  readVerpLocalPart,
  verpLocalPart,
} from '../../../domain/messages/message-tokens';

const keyring = new Keyring('a master secret of more than 32 characters');
const other = new Keyring('another master secret of 32 characters or more');
const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const PURPOSES: LinkPurpose[] = ['click', 'open', 'unsubscribe', 'browser'];

const links = messageLinks(keyring, 'https://mail.example', ID);
const tokens: Record<LinkPurpose, string> = {
  click: links.clicks.split('/').at(-2)!,
  open: links.open
    .split('/')
    .at(-1)!
    .replace(/\.gif$/, ''),
  unsubscribe: links.unsubscribe.split('/').at(-1)!,
  browser: browserLink(keyring, 'https://mail.example', ID).split('/').at(-1)!,
};

describe('public links', () => {
  test('lie below the public URL: clicks with the number of the link behind it, open, unsubscribe, the page of the mail', () => {
    expect(links.clicks).toMatch(/^https:\/\/mail\.example\/t\/c\/[A-Za-z0-9_-]+\/$/);
    expect(links.open).toMatch(/^https:\/\/mail\.example\/t\/o\/[A-Za-z0-9_-]+\.gif$/);
    expect(links.unsubscribe).toMatch(/^https:\/\/mail\.example\/u\/[A-Za-z0-9_-]+$/);
    expect(browserLink(keyring, 'https://mail.example', ID)).toMatch(/^https:\/\/mail\.example\/m\/[A-Za-z0-9_-]+$/);
  });

  test('are read back to their message, for any id', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        const token = messageLinks(keyring, '', id).unsubscribe.slice('/u/'.length);
        expect(readLinkToken(keyring, 'unsubscribe', token)).toBe(id);
      }),
    );
  });

  test.each(PURPOSES)('a %s token is good for its own purpose only', (purpose) => {
    const readers = PURPOSES.map((use) => readLinkToken(keyring, use, tokens[purpose]));
    expect(readers).toEqual(PURPOSES.map((use) => (use === purpose ? ID : null)));
  });

  test.each(PURPOSES)('a %s token of another installation is not ours', (purpose) => {
    expect(readLinkToken(other, purpose, tokens[purpose])).toBeNull();
  });

  test.each(PURPOSES)('no change to a %s token leads to another message', (purpose) => {
    const token = tokens[purpose];
    const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
    const position = fc.integer({ min: 0, max: token.length - 1 });
    fc.assert(
      fc.property(position, fc.constantFrom(...alphabet), (at, letter) => {
        const read = readLinkToken(keyring, purpose, token.slice(0, at) + letter + token.slice(at + 1));
        expect([ID, null]).toContain(read);
      }),
    );
  });

  test.each(PURPOSES)('a %s token is refused with a wrong signature, cut short, or prolonged', (purpose) => {
    const token = tokens[purpose];
    const swapped = token[30] === 'A' ? 'B' : 'A';
    expect(readLinkToken(keyring, purpose, token.slice(0, 30) + swapped + token.slice(31))).toBeNull();
    expect(readLinkToken(keyring, purpose, token.slice(0, -1))).toBeNull();
    expect(readLinkToken(keyring, purpose, `${token}A`)).toBeNull();
    expect(readLinkToken(keyring, purpose, token.slice(0, 22))).toBeNull();
  });

  test('text that is no token at all is refused, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ minLength: 36, maxLength: 38 })), (text) => {
        expect(readLinkToken(keyring, 'click', text)).toBeNull();
      }),
    );
  });
});

describe('the return path', () => {
  test('is one short local part without upper-case letters', () => {
    const local = verpLocalPart(keyring, ID);
    expect(local).toMatch(/^b-[0-9a-f]{32}-[0-9a-f]{16}$/);
    expect(local.length).toBeLessThanOrEqual(64);
  });

  // spec: docs/contract.md#return-path: Return-Path: signed, leads back to the message
  test('is read back to its message, for any id, also when a server on the way changed the case', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        const local = verpLocalPart(keyring, id);
        expect(readVerpLocalPart(keyring, local)).toBe(id);
        expect(readVerpLocalPart(keyring, local.toUpperCase())).toBe(id);
      }),
    );
  });

  test('of another installation is not ours', () => {
    expect(readVerpLocalPart(other, verpLocalPart(keyring, ID))).toBeNull();
  });

  test('with any one letter changed is refused', () => {
    const local = verpLocalPart(keyring, ID);
    for (let at = 0; at < local.length; at++) {
      const changed = local.slice(0, at) + (local[at] === '0' ? '1' : '0') + local.slice(at + 1);
      expect(readVerpLocalPart(keyring, changed)).toBeNull();
    }
  });

  test.each(['', 'b-', 'postmaster', `${verpLocalPart(keyring, ID)}0`, `x${verpLocalPart(keyring, ID)}`])(
    '"%s" is none of ours',
    (local) => {
      expect(readVerpLocalPart(keyring, local)).toBeNull();
    },
  );

  test('is not signed with the key of the links', () => {
    const forged = `b-${ID.replaceAll('-', '')}-${keyring.linkDigest(ID).subarray(0, 8).toString('hex')}`;
    expect(readVerpLocalPart(keyring, forged)).toBeNull();
  });
});
