import type { OperationFaults } from '../../lib/operation-faults';
import type { HandOffOutcome, Transport } from './transport';

/**
 * A transport with injected faults, as operations `transport.handOff` and `transport.fence`. A hand-off never rejects,
 * so an error before it counts as a connection that could not be opened, and one after it as a lost answer.
 */
export function faultyTransport(transport: Transport, faults: OperationFaults): Transport {
  return {
    close: () => transport.close(),
    largestMail: (server) => transport.largestMail(server),
    handOff: async (envelope, raw, fence) => {
      let outcome: HandOffOutcome | null = null;
      const fenceWithFaults = (): Promise<boolean> => faults.around('transport.fence', null, fence);
      try {
        return await faults.around('transport.handOff', null, async () => {
          // Only once: the port forbids a second hand-off.
          outcome ??= await transport.handOff(envelope, raw, fenceWithFaults);
          return outcome;
        });
      } catch (error) {
        return withoutAnswer(outcome, (error as Error).message);
      }
    },
  };
}

function withoutAnswer(outcome: HandOffOutcome | null, reason: string): HandOffOutcome {
  if (outcome === null) return { kind: 'not_sent', reason };
  return outcome.kind === 'fenced_out' || outcome.kind === 'not_sent' ? outcome : { kind: 'unknown', reason };
}
