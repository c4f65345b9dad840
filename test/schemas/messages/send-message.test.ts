import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isPlainMessage, messageRules, messageRulesFor } from '../../../schemas/messages/send-message';
import { validate } from '../../../schemas/rules/rules';

const NOW = Date.parse('2026-01-05T03:00:00Z');
const content = { to: 'budi@contoh.test', subject: 'Halo', html: '<p>Halo</p>', sending_domain_id: 1 };

describe('the rules for a message of which it is known whether it has a template', () => {
  it.each<[string, Record<string, unknown>]>([
    ['content', content],
    ['content without a subject', { ...content, subject: undefined }],
    ['nothing', {}],
    [
      'everything wrong',
      { to: 1, subject: 1, html: [], text: 5, sending_domain_id: 'x', metadata: [], attachments: 1 },
    ],
    ['variables alone', { ...content, variables: { nama: 'Budi' } }],
    ['a template', { to: 'budi@contoh.test', sending_domain_id: 1, template_id: 3, variables: { nama: 'Budi' } }],
    ['a template beside content', { ...content, text: 'Halo', template_id: 3 }],
    ['a template that is no number', { ...content, template_id: 'x', variables: 1 }],
    ['a time in the past', { ...content, send_at: '2025-01-05T03:00:00Z' }],
    ['a time', { ...content, send_at: '2026-01-06T03:00:00Z' }],
  ])('say of %s what those for any message say', (_name, fields) => {
    const expected = validate(messageRules, fields, { now: NOW });
    const found = validate(messageRulesFor(fields), fields, { now: NOW });
    expect(found).toEqual(expected);
    // In the same order, too.
    if (!found.ok && !expected.ok) expect(Object.keys(found.errors)).toEqual(Object.keys(expected.errors));
  });
});

describe('a message that is plainly valid', () => {
  const text = fc.oneof(
    { weight: 20, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }) },
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('', '\u{1f600}'.repeat(200)),
  );
  const address = fc.constantFrom(
    'budi@contoh.test',
    'büdi@contoh.test',
    '"a b"@contoh.test',
    'budi',
    'a@b@c.test',
    '',
  );
  const any = fc.oneof(
    text,
    fc.constantFrom('büdi@contoh.test', 'budi', { 'd e': 1 }, { a: {} }),
    fc.constantFrom(null, undefined, 1, 1.5, NaN, 2 ** 60, true, [], {}),
  );
  const orAny = (usual: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: any });
  const metadataValue = fc.oneof(fc.string(), fc.double({ noDefaultInfinity: true }), fc.boolean(), fc.constant(null));
  const fieldsOf = (isUsual: boolean) =>
    fc.record(
      {
        to: orAny(address),
        subject: orAny(text),
        html: orAny(text),
        sending_domain_id: orAny(fc.integer()),
        text: orAny(text),
        from_email: orAny(address),
        from_name: orAny(text),
        reply_to: orAny(address),
        metadata: orAny(fc.dictionary(fc.constantFrom('a', 'b.c', '__proto__'), metadataValue)),
        ...(isUsual ? {} : { attachments: any, send_at: any, template_id: any, variables: any }),
      },
      { requiredKeys: isUsual ? ['to', 'subject', 'html', 'sending_domain_id'] : [] },
    );

  it('has no fault by the rules, which change nothing', () => {
    let plain = 0;
    const fields = fc.oneof(fieldsOf(false), fieldsOf(true));
    fc.assert(
      fc.property(fields, (found) => {
        if (!isPlainMessage(found)) return;
        plain += 1;
        expect(validate(messageRules, found, { now: NOW })).toEqual({ ok: true, value: found });
      }),
      { numRuns: 3_000 },
    );
    expect(plain).toBeGreaterThan(20);
  });

  it.each<[string, Record<string, unknown>]>([
    ['content', content],
    ['a text, a sender and an answer address', { ...content, text: 'a', from_email: 'a@b.co', reply_to: 'c@d.co' }],
    ['metadata', { ...content, metadata: { order: 4711 } }],
  ])('is one with %s', (_name, fields) => {
    expect(isPlainMessage(fields)).toBe(true);
  });

  it.each<[string, Record<string, unknown>]>([
    ['attachments', { ...content, attachments: [] }],
    ['a template', { ...content, template_id: 3 }],
    ['a field of every object', { ...content, constructor: 'a' }],
  ])('is none with %s', (_name, fields) => {
    expect(isPlainMessage(fields)).toBe(false);
  });
});
