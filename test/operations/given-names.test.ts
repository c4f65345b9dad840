import { describe, expect, it } from '@jest/globals';
import { Reason } from '../../lib/reason';
import { faultOf, OperationError } from '../../operations/definition';

describe('what an operation says to other interfaces than the command line', () => {
  it.each([
    [
      '<name>: xn--bcher-kva.id already belongs to workspace 1.',
      'name: xn--bcher-kva.id already belongs to workspace 1.',
    ],
    ['<domain>: a--b.example has no reports.', 'domain: a--b.example has no reports.'],
    ['no audience "<b>--bold-text</b>" found.', 'no audience "<b>--bold-text</b>" found.'],
    ['--opt-in must be on or off.', 'opt_in must be on or off.'],
    ['give --mx-host (or --spf) with <opt-in>.', 'give mx_host (or spf) with opt_in.'],
  ])('names fields its way, and what was given as it was: %s', (said, message) => {
    expect(faultOf(new OperationError(new Reason('said', [said, said]), '', '<name>'))).toEqual({
      status: 422,
      message,
      field: 'name',
    });
  });
});
