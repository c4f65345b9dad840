import { describe, expect, test } from '@jest/globals';
import type { Thread } from '../../../../domain/messages/message';
import { aMail, read } from './mails';

const threadOf = async (...fields: string[]): Promise<Thread | null> => (await read(aMail(fields.join('\n')))).thread;
const messageIdOf = async (value: string): Promise<string | null> =>
  (await threadOf(`Message-ID: ${value}`))?.messageId ?? null;

describe('the Message-ID of a caller', () => {
  // spec: docs/contract.md#relay-threads: kept where it is well-formed (RFC 5322 section 3.6.4)
  test.each([
    '<a@b>',
    '<20261129.1@toko.example>',
    '<CAF+x=y_z@mail.gmail.com>',
    '<000001dc5b9f$9a1b2c30$ce518490$@toko.example>',
    '<6f9619ff-8b86-d011-b42d-00c04fc964ff@toko.example>',
    '<1@[192.0.2.1]>',
    `<${'a'.repeat(990)}@b.id>`,
  ])('%s is kept', async (id) => {
    expect(await messageIdOf(id)).toBe(id);
  });

  test.each([
    ['folded', '\n <a@b>', '<a@b>'],
    ['with a comment', '<a@b> (added by us)', '<a@b>'],
  ])('%s is kept', async (_what, value, id) => {
    expect(await messageIdOf(value)).toBe(id);
  });

  test.each([
    ['none', ''],
    ['no brackets', 'a@b'],
    ['no domain', '<a>'],
    ['nothing before the @', '<@b>'],
    ['two of them', '<a@b> <c@d>'],
    ['two @', '<a@b@c>'],
    ['a space inside', '<a b@c>'],
    ['a fold inside', '<a@\n b>'],
    ['words around', 'see <a@b>'],
    ['a dot at the end', '<a.@b>'],
    ['two dots', '<a..b@c>'],
    ['another script', '<ü@b>'],
    ['a control character', '<a\u0001@b>'],
    ['a bracket in it', '<a<b@c>'],
    ['a quoted part', '<"a b"@c>'],
    ['a line that is too long', `<${'a'.repeat(993)}@b.id>`],
  ])('that is malformed is not kept: %s', async (_what, value) => {
    expect(await messageIdOf(value)).toBeNull();
  });

  test('that stands twice is not kept', async () => {
    expect(await threadOf('Message-ID: <a@b>', 'Message-ID: <c@d>')).toBeNull();
  });
});

/** Twenty in a line. */
const folded = (list: readonly string[]): string => list.map((id, n) => (n % 20 === 0 ? `\n ${id}` : id)).join(' ');

describe('In-Reply-To and References', () => {
  // spec: docs/contract.md#relay-threads: kept, each id once, in order
  test('are kept as their programs wrote them', async () => {
    const fields = ['In-Reply-To: <1@x>', 'References: <0@x>\n\t<"odd id"@y>  <no-domain> <..@z>\n <0@x> <1@x>'];
    expect(await threadOf(...fields)).toEqual({
      messageId: null,
      inReplyTo: ['<1@x>'],
      references: ['<0@x>', '<no-domain>', '<..@z>', '<1@x>'],
    });
  });

  test.each(['', 'your mail of Monday', 'a@b', '<>', '<a b>', '<ü@x>', '<\u0001@x>', `<${'a'.repeat(1000)}@x>`])(
    'without an id are nothing: %j',
    async (value) => {
      expect(await threadOf(`In-Reply-To: ${value}`, `References: ${value}`)).toBeNull();
    },
  );

  test('of a long thread keep the first id and the last ones, in lines and octets that are bounded', async () => {
    const ids = (n: number, length = 1) => Array.from({ length: n }, (_, i) => `<${i}.${'a'.repeat(length)}@x>`);
    const of = async (list: string[]) => (await threadOf(`References: ${folded(list)}`))!.references;
    const many = ids(5_000);
    expect(await of(many)).toEqual([many[0], ...many.slice(-99)]);
    const long = ids(60, 900);
    const kept = await of(long);
    expect(kept).toEqual([long[0], ...long.slice(-kept.length + 1)]);
    expect(kept.join(' ').length).toBeLessThanOrEqual(16 * 1024);
    expect(kept.length).toBeGreaterThan(10);
  });

  test('above 64 kB refuse no mail', async () => {
    const list = Array.from({ length: 9_000 }, (_, i) => `<${i}@toko.example>`);
    expect((await threadOf(`References: ${folded(list)}`))!.references.at(-1)).toBe('<8999@toko.example>');
  });
});
