import { presentAudit } from './audit-view';
import { operation, OperationError, why } from '../definition';

const start = operation('audit.start', 'operator', {
  summary: 'run an audit in the running service; kurir health shows its progress and result',
  examples: [['audit start', 'in the running service']],
  handler: async (_, { audits, note, clock, actor }) => {
    if (!audits) throw new OperationError(why('no_service'), 'kurir audit checks the data without a running service.');
    await note('audit start', '', null);
    const begun = await audits.start(actor);
    if (!begun) throw new OperationError(why('audit_runs'), 'Wait until it finishes.');
    return presentAudit(begun, clock.now());
  },
  text: () => 'Audit started.\n',
});

/** What checks the data of a running service. */
export const AUDIT = { start };
