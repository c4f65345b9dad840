import { beforeEach, describe, expect, it } from '@jest/globals';
import { SendingServerWatch } from '../../../app/services/sending-server-watch';
import { MINUTE } from '../../../lib/clock';

const SENT = { kind: 'sent', reply: '250 ok' } as const;
const LATER = { kind: 'refused', permanent: false, reply: '451 4.3.0 try later' } as const;
const NEVER = {
  kind: 'refused',
  permanent: true,
  reply: '554 5.7.1 Relay access denied for budi@toko.example',
} as const;

let now: number;
let logged: object[];
let watch: SendingServerWatch;
beforeEach(() => {
  now = 0;
  logged = [];
  watch = new SendingServerWatch({ warn: (facts: object) => void logged.push(facts) }, () => now);
});

describe('the watch of the sending server', () => {
  it('says from the first mail that was not taken to the next one that was', () => {
    expect(watch.fault()).toBeNull();
    watch.observe({ kind: 'not_sent', reason: 'connect ECONNREFUSED' });
    now = 3 * MINUTE;
    watch.observe(LATER);
    expect(watch.fault()).toBe('it has accepted no messages for 3 min, 2 tried: 451 4.3.0 try later');
    watch.observe({ kind: 'fenced_out', reason: 'lost' });
    expect(watch.fault()).not.toBeNull();
    watch.observe(SENT);
    expect(watch.fault()).toBeNull();
  });

  it('logs at once, then once a minute with the count', () => {
    for (let n = 0; n < 5; n += 1) watch.observe(LATER);
    expect(logged).toEqual([{ mails: 1, text: '451 4.3.0 try later' }]);
    now = MINUTE - 1;
    watch.observe(LATER);
    expect(logged).toHaveLength(1);
    now = MINUTE;
    watch.observe(LATER);
    expect(logged[1]).toEqual({ mails: 6, text: '451 4.3.0 try later' });
  });

  it('takes refusals for good for those of single mails, until ten come in a row', () => {
    for (let n = 0; n < 9; n += 1) watch.observe(NEVER);
    watch.observe(SENT);
    for (let n = 0; n < 9; n += 1) watch.observe(NEVER);
    expect([watch.fault(), logged]).toEqual([null, []]);
    watch.observe(NEVER);
    expect(watch.fault()).toMatch(/^it has accepted no messages for 0 min, 10 tried: 554 5\.7\.1/);
    expect(watch.fault()).not.toContain('budi@toko.example');
    expect(logged).toHaveLength(1);
  });
});
