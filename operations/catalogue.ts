import type { Operation } from './definition';

type Load = () => Promise<readonly Operation[]>;

/** The operations by group, each loaded when it is needed: the command line starts with one of them. */
export const OPERATIONS = {
  workspace: async () => (await import('./workspaces/workspace.js')).WORKSPACE_OPERATIONS,
  key: async () => (await import('./workspaces/key.js')).KEY_OPERATIONS,
  smtp: async () => (await import('./workspaces/smtp.js')).SMTP_OPERATIONS,
  domain: async () => (await import('./domains/domain.js')).DOMAIN_OPERATIONS,
  coins: async () => (await import('./ledger/coins.js')).COINS_OPERATIONS,
  suppress: async () => (await import('./suppressions/suppress.js')).SUPPRESS_OPERATIONS,
  contact: async () => (await import('./contacts/contact.js')).CONTACT_OPERATIONS,
  audience: async () => (await import('./contacts/audience.js')).AUDIENCE_OPERATIONS,
  campaign: async () => (await import('./campaigns/campaign.js')).CAMPAIGN_OPERATIONS,
  image: async () => (await import('./images/image.js')).IMAGE_OPERATIONS,
  template: async () => (await import('./templates/template.js')).TEMPLATE_OPERATIONS,
  journey: async () => (await import('./journeys/journey.js')).JOURNEY_OPERATIONS,
  conversion: async () => (await import('./conversions/conversion.js')).CONVERSION_OPERATIONS,
  webhook: async () => (await import('./webhooks/webhook.js')).WEBHOOK_OPERATIONS,
  switch: async () => (await import('./installation/installation.js')).SWITCH_OPERATIONS,
  warmup: async () => (await import('./installation/installation.js')).WARMUP_OPERATIONS,
  message: async () => (await import('./messages/message.js')).MESSAGE_OPERATIONS,
  queue: async () => (await import('./queue/queue.js')).QUEUE_OPERATIONS,
  destination: async () => (await import('./destinations/destination.js')).DESTINATION_OPERATIONS,
  alarm: async () => (await import('./alarms/alarm.js')).ALARM_OPERATIONS,
  bounce: async () => (await import('./bounces/bounce.js')).BOUNCE_OPERATIONS,
  'dead-letters': async () => (await import('./queue/dead-letters.js')).DEAD_LETTER_OPERATIONS,
  'due-work': async () => (await import('./queue/due-work.js')).DUE_WORK_OPERATIONS,
  sandbox: async () => (await import('./sandbox/sandbox.js')).SANDBOX_OPERATIONS,
  health: async () => (await import('./health/health.js')).HEALTH_OPERATIONS,
  audit: async () => (await import('./audit/audit.js')).AUDIT_OPERATIONS,
  doctor: async () => (await import('./doctor/doctor.js')).DOCTOR_OPERATIONS,
  'admin-key': async () => (await import('./people/admin-key.js')).ADMIN_KEY_OPERATIONS,
  user: async () => (await import('./people/user.js')).USER_OPERATIONS,
  log: async () => (await import('./installation/installation.js')).LOG_OPERATIONS,
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
