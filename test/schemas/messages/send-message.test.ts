import { describe, expect, it } from '@jest/globals';
import { messageRules, messageRulesFor } from '../../../schemas/messages/send-message';
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
