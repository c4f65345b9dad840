import { domainToASCII } from 'node:url';
import type { Audience } from '../../domain/contacts/audience';
import type { Campaign } from '../../domain/campaigns/campaign';
import type { Contact } from '../../domain/contacts/contact';
import type { Journey } from '../../domain/journeys/journey';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import type { Template } from '../../domain/templates/template';
import type { Webhook } from '../../domain/webhooks/webhook';
import type { ApiKey, SmtpLogin, Workspace } from '../../domain/settings/workspace';
import { canonicalAddress, isEmailAddress } from '../../schemas/rules/email-address';
import type { Stores } from '../../stores/ports';
import type { Reason } from '../../lib/reason';
import { noun } from '../../schemas/rules/nouns';
import { NotFoundError, OperationError, UsageError } from './errors';
import { why } from './reasons';
import { anyId, found, neededFound, optional, type Finding, type Param } from './params';
import { address, ONLY_WORKSPACE, type Read, reference } from './reads';

const ID_OR_NAME = 'id or name';
const isId = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);

/** What is looked up, in words: as which argument, and the command that lists them. */
interface Kind {
  label: string;
  what: Reason;
  list: string;
}

const unknown = (text: string, { label, what, list }: Kind): OperationError =>
  new NotFoundError(why('unknown', { label, what, text }), `${list} shows them.`);

/** The error for the id of something that is not there. */
export const unknownId = (of: { label: string; what: Reason; id: string | number }, fix: string): NotFoundError =>
  new NotFoundError(why('unknown_id', of), fix);

/** Finds the item by id, by its exact name, or by its name in any case if only one matches. */
function pick<T extends { id: number }>(all: readonly T[], text: string, name: (item: T) => string, kind: Kind): T {
  const byId = isId(text) ? all.filter((item) => item.id === Number(text)) : [];
  const exact = byId.length > 0 ? byId : all.filter((item) => name(item) === text);
  const matching = exact.length > 0 ? exact : all.filter((item) => name(item).toLowerCase() === text.toLowerCase());
  const [only] = matching;
  if (!only) throw unknown(text, kind);
  if (matching.length === 1) return only;
  const ids = matching.map(({ id }) => id);
  const { label, what } = kind;
  const reason = why('several', { label, count: matching.length, what, text, ids });
  throw new OperationError(reason, 'Use the id instead of the name.');
}

/** The id of the workspace in which something is looked up. */
function within({ workspace }: Finding): number {
  if (workspace) return workspace.id;
  throw new Error('the input has no workspace to look it up in');
}

async function findWorkspace(text: string, finding: Finding): Promise<Workspace> {
  const { stores, label } = finding;
  if (text === ONLY_WORKSPACE) return onlyWorkspace((await stores.workspaces.list()).filter(finding.sees));
  const byId = isId(text) ? await stores.workspaces.get(Number(text)) : null;
  const kind = { label, what: noun('workspace'), list: 'kurir workspace list' };
  if (byId && finding.sees(byId)) return byId;
  return pick((await stores.workspaces.list()).filter(finding.sees), text, ({ name }) => name, kind);
}

function onlyWorkspace(all: readonly Workspace[]): Workspace {
  const [only] = all;
  if (only && all.length === 1) return only;
  const label = '<workspace>';
  if (all.length === 0) throw new UsageError(why('no_workspace'), 'Create one: kurir workspace create <name>', label);
  throw new UsageError(why('missing_one_of', { label, count: all.length }), 'kurir workspace list shows them.');
}

/** A workspace by id or name. The rest of the input is looked up in it. */
export const workspace = found(ID_OR_NAME, reference, async (text, finding): Promise<Workspace> => {
  finding.workspace = await findWorkspace(text, finding);
  finding.enter(finding.workspace.id);
  return finding.workspace;
});

/** `--workspace`. */
export const workspaceOption = (about: string) => optional(neededFound('<workspace>', about, workspace));

/** Something of the workspace, by id or name. */
const inWorkspace = <T extends { id: number }>(
  what: Reason,
  listed: string,
  all: (stores: Stores, workspaceId: number) => Promise<readonly T[]>,
  name: (item: T) => string,
): Param<T, string, 'required'> =>
  found(ID_OR_NAME, reference, async (text, finding) => {
    const kind = { label: finding.label, what, list: `kurir ${listed} list <workspace>` };
    return pick(await all(finding.stores, within(finding)), text, name, kind);
  });

/** An audience of the workspace by id or name. */
export const audience = inWorkspace<Audience>(
  noun('audience'),
  'audience',
  (stores, id) => stores.audiences.list(id),
  ({ name }) => name,
);

/** The error for an audience that is no longer there. */
export const unknownAudience = (name: string): OperationError =>
  unknown(name, { label: '<audience>', what: noun('audience'), list: 'kurir audience list <workspace>' });

/** A sending domain of the workspace by id or name; a domain of another workspace counts as unknown. */
export const ownDomain = inWorkspace<SendingDomain>(
  noun('own_domain'),
  'domain',
  (stores, id) => stores.domains.list(id),
  ({ domain }) => domain,
);

/** A journey of the workspace by id or name. */
export const journey = inWorkspace<Journey>(
  noun('journey'),
  'journey',
  (stores, id) => stores.journeys.list(id),
  ({ name }) => name,
);

/** The error for a journey that is no longer there. */
export const unknownJourney = (name: string): OperationError =>
  unknown(name, { label: '<journey>', what: noun('journey'), list: 'kurir journey list <workspace>' });

const templateItem = inWorkspace(
  noun('template'),
  'template',
  (stores, id) => stores.templates.list(id),
  ({ name }) => name,
);

/** A template of the workspace by id or name, with its content. */
export const template = found(ID_OR_NAME, reference, async (text, finding): Promise<Template> => {
  const item = await templateItem.find?.(text, finding);
  const whole = item && (await finding.stores.templates.get(item.id));
  if (whole) return whole;
  throw unknown(text, { label: finding.label, what: noun('template'), list: 'kurir template list <workspace>' });
});

/** The contact of an address in a workspace. */
export async function findContact(
  stores: Pick<Stores, 'contacts'>,
  workspaceId: number,
  email: string,
): Promise<Contact> {
  const contact = await stores.contacts.find(workspaceId, email);
  if (contact) return contact;
  throw unknownContact(email);
}

/** The error for a contact that is not there, or no longer. */
export const unknownContact = (text: string): OperationError =>
  unknown(text, { label: '<email>', what: noun('contact'), list: 'kurir contact list <workspace>' });

const idOrAddress: Read<string> = (raw) => (isId(raw.trim()) ? raw.trim() : address(raw));

/** The contact of an address, or of an id. */
export const contactOf = found('email address or id of the contact', idOrAddress, async (text, finding) => {
  if (!isId(text)) return findContact(finding.stores, within(finding), text);
  const byId = await finding.stores.contacts.get(within(finding), Number(text));
  if (byId) return byId;
  throw unknownContact(text);
});

/** A contact of the workspace by its id or address. */
export const contact = found('id or email address', reference, async (text, finding): Promise<Contact> => {
  const { contacts } = finding.stores;
  const byId = isId(text) ? await contacts.get(within(finding), Number(text)) : null;
  const match = byId ?? (isEmailAddress(text) ? await contacts.find(within(finding), canonicalAddress(text)) : null);
  if (match) return match;
  throw unknown(text, { label: finding.label, what: noun('contact'), list: 'kurir contact list <workspace>' });
});

/** The error for a campaign that is not there. */
export const unknownCampaign = (id: number): OperationError =>
  unknownId({ label: '<campaign>', what: noun('campaign'), id }, 'kurir campaign list <workspace> shows them.');

/** A campaign of the workspace by its id. */
export const campaign = found('id', anyId, async (id, finding): Promise<Campaign> => {
  const one = await finding.stores.campaigns.get(within(finding), id);
  if (one) return one;
  throw unknownCampaign(id);
});

/** A sending domain by id or name; each name belongs to one workspace only. */
export const domain = found(ID_OR_NAME, reference, async (text, finding): Promise<SendingDomain> => {
  const { stores, label } = finding;
  const name = domainToASCII(text.replace(/\.$/, '')) || text.toLowerCase();
  const one = isId(text) ? await stores.domains.get(Number(text)) : await stores.domains.findByName(name);
  if (one && finding.enter(one.workspaceId)) return one;
  throw unknown(text, { label, what: noun('sending_domain'), list: 'kurir domain list' });
});

/** An API key by id or name, in the workspace of the input or in all. A revoked one only if no other has the name. */
export const key = found(ID_OR_NAME, reference, async (text, finding): Promise<ApiKey> => {
  const { stores, workspace: only, label } = finding;
  const workspaces = only ? [only] : (await stores.workspaces.list()).filter(finding.sees);
  const keys = (await Promise.all(workspaces.map(({ id }) => stores.credentials.listKeys(id)))).flat();
  const live = keys.filter(
    ({ id, revokedAt, name }) => String(id) === text || revokedAt === null || !isTaken(keys, name),
  );
  const one = pick(live, text, ({ name }) => name, { label, what: noun('key'), list: 'kurir key list <workspace>' });
  finding.enter(one.workspaceId);
  return one;
});

const isTaken = (keys: readonly ApiKey[], name: string): boolean =>
  keys.some((other) => other.revokedAt === null && other.name.toLowerCase() === name.toLowerCase());

/** An SMTP login by username or id. */
export const login = found('username or id', reference, async (text, finding): Promise<SmtpLogin> => {
  const { stores, label } = finding;
  const kind = { label, what: noun('smtp_login'), list: 'kurir smtp list <workspace>' };
  if (!isId(text)) {
    const one = await stores.credentials.findLogin(text.toLowerCase());
    if (one && finding.enter(one.workspaceId)) return one;
    throw unknown(text, kind);
  }
  const workspaces = (await stores.workspaces.list()).filter(finding.sees);
  const logins = (await Promise.all(workspaces.map(({ id }) => stores.credentials.listLogins(id)))).flat();
  const one = pick(logins, text, ({ username }) => username, kind);
  finding.enter(one.workspaceId);
  return one;
});

/** A webhook by its id. */
export const webhook = found('its id', anyId, async (id, finding): Promise<Webhook> => {
  const one = await finding.stores.webhooks.get(id);
  if (one && finding.enter(one.workspaceId)) return one;
  throw unknown(String(id), { label: finding.label, what: noun('webhook'), list: 'kurir webhook list' });
});
