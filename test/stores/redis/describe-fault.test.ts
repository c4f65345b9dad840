import { describe, expect, it } from '@jest/globals';
import { describeFault } from '../../../stores/redis/describe-fault';

describe('what is logged of an error of Redis', () => {
  it('is its text and code, not the command that failed', () => {
    const refused = Object.assign(new Error('WRONGPASS invalid username-password pair'), {
      command: { name: 'auth', args: ['hunter2'] },
    });
    expect(describeFault(refused)).toEqual({ reason: 'WRONGPASS invalid username-password pair' });
    const gone = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', address: '127.0.0.1' });
    expect(describeFault(gone)).toEqual({ reason: 'connect ECONNREFUSED', code: 'ECONNREFUSED' });
  });

  it('leaves out what the server repeats of a command it does not know', () => {
    const unknown = new Error("ERR unknown command 'auth', with args beginning with: 'someone' 'hunter2' ");
    expect(describeFault(unknown)).toEqual({ reason: "ERR unknown command 'auth'" });
  });
});
