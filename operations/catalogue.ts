import type { Operation } from './definition';

type Load = () => Promise<readonly Operation[]>;

/** A group as a list, in the order in which it is declared. */
const listed =
  (load: () => Promise<Readonly<Record<string, Operation>>>): Load =>
  async () =>
    Object.values(await load());

/** The operations by group, each loaded when it is needed: the command line starts with one of them. */
export const OPERATIONS = {
  workspace: listed(async () => (await import('./workspaces/workspace.js')).WORKSPACE),
  key: listed(async () => (await import('./workspaces/key.js')).KEY),
  smtp: listed(async () => (await import('./workspaces/smtp.js')).SMTP),
  domain: listed(async () => (await import('./domains/domain.js')).DOMAIN),
  coins: listed(async () => (await import('./ledger/coins.js')).COINS),
  suppress: listed(async () => (await import('./suppressions/suppress.js')).SUPPRESS),
  contact: listed(async () => (await import('./contacts/contact.js')).CONTACT),
  audience: listed(async () => (await import('./contacts/audience.js')).AUDIENCE),
  campaign: listed(async () => (await import('./campaigns/campaign.js')).CAMPAIGN),
  image: listed(async () => (await import('./images/image.js')).IMAGE),
  template: listed(async () => (await import('./templates/template.js')).TEMPLATE),
  journey: listed(async () => (await import('./journeys/journey.js')).JOURNEY),
  conversion: listed(async () => (await import('./conversions/conversion.js')).CONVERSION),
  webhook: listed(async () => (await import('./webhooks/webhook.js')).WEBHOOK),
  switch: listed(async () => (await import('./installation/installation.js')).SWITCH),
  warmup: listed(async () => (await import('./installation/installation.js')).WARMUP),
  message: listed(async () => (await import('./messages/message.js')).MESSAGE),
  queue: listed(async () => (await import('./queue/queue.js')).QUEUE),
  destination: listed(async () => (await import('./destinations/destination.js')).DESTINATION),
  alarm: listed(async () => (await import('./alarms/alarm.js')).ALARM),
  bounce: listed(async () => (await import('./bounces/bounce.js')).BOUNCE),
  'dead-letters': listed(async () => (await import('./queue/dead-letters.js')).DEAD_LETTERS),
  'due-work': listed(async () => (await import('./queue/due-work.js')).DUE_WORK),
  sandbox: listed(async () => (await import('./sandbox/sandbox.js')).SANDBOX),
  health: listed(async () => (await import('./health/health.js')).HEALTH),
  audit: listed(async () => (await import('./audit/audit.js')).AUDIT),
  doctor: listed(async () => (await import('./doctor/doctor.js')).DOCTOR),
  'admin-key': listed(async () => (await import('./people/admin-key.js')).ADMIN_KEY),
  user: listed(async () => (await import('./people/user.js')).USER),
  log: listed(async () => (await import('./installation/installation.js')).LOG),
} as const satisfies Record<string, Load>;

/** Every operation, in the order of its group. */
export async function allOperations(): Promise<readonly Operation[]> {
  return (await Promise.all(Object.values<Load>(OPERATIONS).map((load) => load()))).flat();
}

/** The operation of a name; null when there is none. */
export async function findOperation(name: string): Promise<Operation | null> {
  const group = name.split('.', 1)[0] ?? '';
  const load = Object.hasOwn(OPERATIONS, group) ? (OPERATIONS as Readonly<Record<string, Load>>)[group] : undefined;
  return (await load?.())?.find((operation) => operation.name === name) ?? null;
}
