import { describe, expect, it } from '@jest/globals';
import { logError } from '../../../app/core/log-error';

describe('an error in the log', () => {
  // spec: docs/contract.md#delete-a-contact: replies and reports enter the log without the address
  it('tells type, message, code and the traces of its causes, without any address in them', () => {
    const cause = Object.assign(new Error('dup key: { email: "budi@contoh.test" }'), {
      writeErrors: [{ op: { html: '<p>Halo Budi</p>', to: 'budi@contoh.test' } }],
    });
    const error = Object.assign(new TypeError('refused budi@contoh.test', { cause }), { code: 11_000 });
    const shown = logError(error);
    expect(shown).toMatchObject({ type: 'TypeError', message: 'refused ***@contoh.test', code: 11_000 });
    expect(JSON.stringify(shown)).toContain('caused by: Error: dup key');
    expect(JSON.stringify(shown)).not.toMatch(/budi/i);
  });

  it('says what was thrown instead of an error', () => {
    expect(logError('no budi@contoh.test')).toEqual({ type: 'string', message: 'no ***@contoh.test' });
  });
});
