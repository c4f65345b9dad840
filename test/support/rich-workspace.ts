import { createAdminKey } from '../../operations/people/admin-keys';
import { USERS, NEW_USER, setMembership } from '../../operations/people/people';
import { webhookSecretContext } from '../../domain/webhooks/webhook';
import type { Access } from '../../domain/people/access';
import { findOperation } from '../../operations/catalogue';
import { performFor } from '../../operations/perform';
import type { Input } from '../../operations/definition';
import { eventually } from '../contract/helpers';
import { aSignal, aWebhook } from './builders';
import { SAMPLE_PNG } from './images';
import { aConversion } from './marketing';
import type { Running } from './running';
import { makeTenant } from './tenant';

/** One of each thing that a workspace holds, by the field that names it: ids, and names where it has one. */
export type Things = Readonly<Record<Thing, string>> & { readonly names: Readonly<Partial<Record<Thing, string>>> };
export type Thing = (typeof THINGS)[number];
export const THINGS = [
  ...([
    'workspace',
    'domain',
    'audience',
    'contact',
    'template',
    'journey',
    'campaign',
    'webhook',
    'delivery',
  ] as const),
  ...(['message', 'conversion', 'key', 'login', 'admin_key', 'user', 'import', 'image'] as const),
] as const;

/** What is like the thing, and is not there. */
export const NOTHING: Readonly<Record<Thing, string>> = {
  workspace: '987654',
  domain: '987654',
  audience: '987654',
  contact: '987654',
  template: '987654',
  journey: '987654',
  campaign: '987654',
  webhook: '987654',
  key: '987654',
  login: '987654',
  import: '000000000000000000000000',
  image: '0'.repeat(32),
  delivery: 'whd_00000000000000000000000000000000',
  message: '0199a1b2-c3d4-7f5a-8b7c-8d9e0f1a2b3c',
  conversion: '0199a1b2-c3d4-7f5a-8b7c-8d9e0f1a2b3c',
  admin_key: 'mesin ketiga',
  user: 'anggota@ketiga.example',
};

const ALL: Access = { sees: () => true, may: () => true, holds: () => true };

/** Makes a workspace of this name with one of each thing in it. */
export async function richWorkspace(running: Running, name: string): Promise<Things> {
  const { services } = running.kurir;
  const tenant = await makeTenant(running, name, 'premium');
  const workspace = tenant.workspaceId;
  const does = async (operation: string, input: Input): Promise<Record<string, unknown>> => {
    const done = await performFor(services, { actor: 'test', access: ALL }, (await findOperation(operation))!, input);
    if (!done.ok) throw new Error(`${operation}: ${done.fault.message}`);
    return { ...done.json };
  };
  const make = async (operation: string, input: Input) => String((await does(operation, { workspace, ...input })).id);
  // A private address: the attempt fails without a connection.
  const hook = aWebhook(workspace, { url: 'https://127.0.0.1:9/hook', eventTypes: ['bounce'] });
  const secretSealed = services.keyring.seal('s'.repeat(40), webhookSecretContext(hook));
  const webhook = await running.stores.webhooks.create({ ...hook, secretSealed }, 1);
  const message = await tenant.api.send(`hardbounce@${name}.example`, tenant.domainId);
  await running.untilStatus(message, 'bounced');
  const delivery = await eventually(async () => {
    const [made] = await running.stores.deliveries.ofMessage(message);
    if (made?.attempts.length !== 1) throw new Error('no attempt yet');
    return made.id;
  });
  const { data } = (await does('contact.list', { workspace })) as { data: { id: number; email: string }[] };
  const at = running.clock.now();
  await running.stores.signals.store(aSignal(message, { kind: 'click', at, link: 0 }), workspace, []);
  const sale = aConversion(workspace, { messageId: message, orderId: `INV-${name}`, occurredAt: at + 1 });
  await running.stores.conversions.accept(sale);
  await running.stores.conversions.link(sale.id);
  const journey = { name: `jalan ${name}`, trigger: 'api', steps: [{ type: 'wait', for: '3d' }] };
  const audience = await make('audience.create', { name: `audiens ${name}`, opt_in: 'double' });
  const content = { subject: `promo ${name}`, html: '<p>Halo</p>', audience, domain: tenant.domainId };
  const made = {
    workspace: String(workspace),
    domain: String(tenant.domainId),
    contact: String(data[0]!.id),
    template: await make('template.create', { name: `templat ${name}`, subject: 'Hai', html: '<p>Hai</p>' }),
    journey: await make('journey.create', { file: JSON.stringify(journey) }),
    campaign: await make('campaign.create', content),
    image: await make('image.add', { file: SAMPLE_PNG.toString('base64') }),
    key: await make('key.create', { name: `kunci ${name}` }),
    login: await make('smtp.create', {}),
    webhook: String(webhook?.id),
    audience,
    delivery,
    message,
    conversion: sale.id,
    user: `anggota@${name}.example`,
    import: '111111111111111111111111',
  };
  const people = { records: services.engine.stores.records, clock: services.clock };
  const now = services.clock.now();
  await people.records.add(USERS, { id: made.user, user: made.user, body: { ...NEW_USER, createdAt: now } }, now);
  await setMembership(people, { user: made.user, workspaceId: workspace, role: 'viewer' });
  const key = {
    name: `mesin ${name}`,
    role: 'viewer',
    workspaceId: workspace,
    expiresAt: null,
    createdBy: 'test',
  } as const;
  await createAdminKey({ ...people, keyring: services.keyring }, key);
  const names = {
    workspace: name,
    domain: `${name}.test`,
    audience: `audiens ${name}`,
    template: `templat ${name}`,
    journey: `jalan ${name}`,
    key: `kunci ${name}`,
    contact: data[0]!.email,
  };
  return { ...made, admin_key: `mesin ${name}`, names };
}
