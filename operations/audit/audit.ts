import { presentAudit } from './audit-view';
import { operation, OperationError, why } from '../definition';

const start = operation('audit.start', 'operator', {
  summary: 'check all data against itself, beside the running service; health shows how far it is and what it found',
  examples: [['audit start', 'in the running service']],
  handler: async (_, { audits, note, clock, actor }) => {
    if (!audits) throw new OperationError(why('no_service'), 'kurir audit checks the data without one.');
    await note('audit start', '', null);
    const begun = await audits.start(actor);
    if (!begun) throw new OperationError(why('audit_runs'), 'Wait for its end.');
    return presentAudit(begun, clock.now());
  },
  text: () => 'An audit has begun.\n',
});

/** What checks the data of a running service. */
export const AUDIT = { start };
