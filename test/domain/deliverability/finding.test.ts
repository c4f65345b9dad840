import { expect, it } from '@jest/globals';
import { RULES } from '../../../domain/deliverability/finding';

it('each finding about DNS gives its own reason', () => {
  expect(RULES['dns-failed'].why).toBe('receivers defer email when the DNS does not respond');
  expect(RULES['dkim-several'].why).toBe('receivers may use the wrong one (RFC 6376 section 3.6.2.2)');
});
