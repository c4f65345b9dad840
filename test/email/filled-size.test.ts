import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { filledSizeRefusal } from '../../domain/messages/mail-size';
import { draftMail } from '../../email/compose';
import { composeInput, LINKS } from './support/compose-input';

const MB = 1_000_000;
const draftOf = (html: string, v: string, change: Parameters<typeof composeInput>[0] = {}) =>
  draftMail(composeInput({ ...change, body: { html, text: null, variables: { v } } }));

describe('the size of a mail before it is filled', () => {
  it('is that of the filled mail, but for line breaks of the encoding and what stands around the content', () => {
    for (const [html, v] of [
      ['<p>{{v}}</p>'.repeat(2_000), 'x'.repeat(2_000)],
      ['{{v}} und {{nama|Kak}}'.repeat(500), '"<&>" 😀 = ä'.repeat(50)],
      ['<a href="https://a.test/{{v}}">{{v}}</a>'.repeat(300), 'weg'.repeat(100)],
    ] as const) {
      for (const links of [LINKS, { ...LINKS, clicks: null, open: null }]) {
        const draft = draftOf(html, v, { links });
        const { body } = draft.fill();
        expect(draft.size.mail).toBeLessThanOrEqual(body.length);
        // The tracked links with tags are counted by their destinations.
        expect(draft.size.mail + draft.size.links).toBeGreaterThan(body.length * 0.9);
      }
    }
  });

  it('counts attachments, and the subject that tags make long', () => {
    const attachments = [{ filename: 'a.bin', contentType: 'application/pdf', content: Buffer.alloc(3 * MB) }];
    expect(draftOf('x', '', { attachments }).size.mail).toBeGreaterThan(4 * MB);
    const subject = '{{v}}'.repeat(50);
    expect(draftOf('{{subjek}}'.repeat(1_000), 'x'.repeat(2_000), { message: { subject } }).size.mail).toBeGreaterThan(
      2 * 100 * MB,
    );
  });

  it('counts the destinations of links, which are no part of the mail', () => {
    const text = 'x';
    const variables = { v: 'https://a.test/'.padEnd(2_000, 'x') };
    const { size, fill } = draftMail(
      composeInput({ body: { html: '<a href="{{v}}">x</a>'.repeat(100), text, variables } }),
    );
    // As they stand in the html, where some characters take three bytes.
    expect(size.links).toBeGreaterThanOrEqual(200_000);
    expect(size.links).toBeLessThan(220_000);
    expect(size.mail).toBeLessThan(fill().body.length);
    expect(fill().destinations.join('')).toHaveLength(200_000);
  });

  it('is never more than the filled mail, whatever the html and the values', () => {
    const piece = fc.constantFrom(
      ...['{{v}}', '{{nama}}', '{{v|"<>"}}', '<p>', 'a', 'ä', '\r\n', '=', '.', ' ', 'From ', '{{unsubscribe_url}}'],
      ...['<a href="https://a.test/?x=1&amp;y">', '<a href="{{v}}">', '<a href="https://a.test/{{v}}">', '</a>', '{{'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.string({ unit: 'grapheme', maxLength: 60 }), (pieces, v) => {
        const draft = draftOf(pieces.join(''), v);
        expect(draft.size.mail).toBeLessThanOrEqual(draft.fill().body.length);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['30,000 tags of 2,000 characters', 30_000, 'x'.repeat(2_000), 120 * MB],
    ['99,990 tags of 2,000 characters of four bytes', 99_990, '😀'.repeat(2_000), 4_798 * MB],
  ])('is known at once of %s', (_name, tags, v, bytes) => {
    const html = '{{v}}'.repeat(tags);
    const first = draftOf(html, v);
    expect(first.size.mail).toBeGreaterThanOrEqual(bytes);
    const begun = process.cpuUsage();
    draftOf(html, `${v}y`);
    const { user, system } = process.cpuUsage(begun);
    // Some microseconds, as the template is cut; to fill it takes seconds.
    expect(user + system).toBeLessThan(100_000);
  });
});

describe('a mail that is too large', () => {
  it('is refused with the text of the contract, by the lower of both limits', () => {
    expect(filledSizeRefusal({ mail: 30_000_001, links: 0 }, 30 * MB)).toBe(
      'Ukuran email 30000001 byte melebihi batas server pengirim (30000000 byte).',
    );
    expect(filledSizeRefusal({ mail: 30 * MB, links: 8 * MB }, 30 * MB)).toBeNull();
  });

  // spec: docs/contract.md#size-of-a-filled-mail: destinations of links
  it('is one whose links take more than 8 MB, since they are stored with the message', () => {
    expect(filledSizeRefusal({ mail: 1, links: 8_000_001 }, 30 * MB)).toBe(
      'Ukuran email 8000001 byte melebihi batas server pengirim (8000000 byte).',
    );
  });
});
