import { auditRuns } from './audit/audit-runs';
import { Accounts } from './installation/accounts';
import { noteOf } from './definition/note';
import type { Services } from './services';
import type { Operator } from './definition/operator';

/** What operations work with in the running service; `actor` is their name in the trail. */
export function runningOperator(services: Services, actor: string): Operator {
  const { config, clock, engine, tools, keyring } = services;
  const { stores, log } = engine;
  return {
    config,
    clock,
    stores,
    log,
    tools,
    keyring: async () => keyring,
    accounts: async () => new Accounts({ stores, keyring, clock }),
    audits: auditRuns(services),
    actor,
    note: noteOf(stores, clock, actor),
    close: async () => undefined,
  };
}
