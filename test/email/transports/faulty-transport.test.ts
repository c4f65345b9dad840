import { describe, expect, it } from '@jest/globals';
import { faultyTransport } from '../../../email/transports/faulty-transport';
import type { HandOffOutcome, Transport } from '../../../email/transports/transport';
import { Faults, type FaultRule } from '../../../stores/wrappers/faults';

const ENVELOPE = { from: 'b@bounce.test', to: 'sari@example.test', envid: 'm' };

function setUp(rules: FaultRule[]) {
  const seen = { mails: 0, fences: 0 };
  const inner: Transport = {
    close: async () => undefined,
    largestMail: () => null,
    handOff: async (_envelope, _raw, fence): Promise<HandOffOutcome> => {
      try {
        if (!(await fence())) return { kind: 'fenced_out', reason: 'refused' };
      } catch (error) {
        return { kind: 'fenced_out', reason: (error as Error).message };
      }
      seen.mails += 1;
      return { kind: 'sent', reply: '250 ok' };
    },
  };
  const faults = new Faults(rules, {
    crash: () => undefined,
    error: (name) => new Error(name),
    pause: async () => undefined,
  });
  const transport = faultyTransport(inner, faults);
  const handOff = () =>
    transport.handOff(ENVELOPE, Buffer.from('x'), async () => {
      seen.fences += 1;
      return true;
    });
  return { seen, handOff };
}

describe('a transport with faults', () => {
  it('hands over as without them', async () => {
    const { seen, handOff } = setUp([]);
    expect(await handOff()).toEqual({ kind: 'sent', reply: '250 ok' });
    expect(seen).toEqual({ mails: 1, fences: 1 });
  });

  it('an error before is a definite failure', async () => {
    const { seen, handOff } = setUp([
      { operation: 'transport.handOff', nth: 1, fault: { kind: 'error', when: 'before' } },
    ]);
    expect(await handOff()).toEqual({ kind: 'not_sent', reason: 'transport.handOff' });
    expect(seen.mails).toBe(0);
  });

  it('an error after is an answer that was lost', async () => {
    const { seen, handOff } = setUp([
      { operation: 'transport.handOff', nth: 1, fault: { kind: 'error', when: 'after' } },
    ]);
    expect(await handOff()).toEqual({ kind: 'unknown', reason: 'transport.handOff' });
    expect(seen.mails).toBe(1);
  });

  it('never hands a mail over twice, also when told to', async () => {
    const { seen, handOff } = setUp([{ operation: 'transport.handOff', nth: 1, fault: { kind: 'twice' } }]);
    expect(await handOff()).toEqual({ kind: 'sent', reply: '250 ok' });
    expect(seen.mails).toBe(1);
  });

  it('a fence that fails lets no byte out', async () => {
    const { seen, handOff } = setUp([
      { operation: 'transport.fence', nth: 1, fault: { kind: 'error', when: 'after' } },
    ]);
    expect(await handOff()).toEqual({ kind: 'fenced_out', reason: 'transport.fence' });
    expect(seen).toEqual({ mails: 0, fences: 1 });
  });
});
