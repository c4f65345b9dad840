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
import { CommandError, UsageError } from './errors';
import { ONLY_WORKSPACE } from './input';

interface Named {
  id: number;
}

const isId = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);

/** The words a lookup uses when it finds none or several. */
interface Kind {
  argument: string;
  what: string;
  /** The command that lists them. */
  list: string;
}

/** Finds the item by id, by its exact name, or by its name in any case if only one matches. */
function pick<T extends Named>(all: readonly T[], text: string, name: (item: T) => string, kind: Kind): T {
  const byId = isId(text) ? all.filter((item) => item.id === Number(text)) : [];
  const exact = byId.length > 0 ? byId : all.filter((item) => name(item) === text);
  const found = exact.length > 0 ? exact : all.filter((item) => name(item).toLowerCase() === text.toLowerCase());
  const [only] = found;
  if (!only) throw unknown(text, kind);
  if (found.length === 1) return only;
  const ids = found.map(({ id }) => id).join(', ');
  throw new CommandError(
    `${kind.argument}: ${found.length} ${kind.what}s are called "${text}" (ids ${ids}).`,
    'Give the id instead of the name.',
    kind.argument,
  );
}

function unknown(text: string, { argument, what, list }: Kind): CommandError {
  return new CommandError(`${argument}: no ${what} "${text}" found.`, `${list} lists what exists.`, argument);
}

const WORKSPACE: Kind = { argument: '<workspace>', what: 'workspace', list: 'kurir workspace list' };

/** A workspace by id or name; `ONLY_WORKSPACE` is the one there is. */
export async function findWorkspace(
  stores: Pick<Stores, 'workspaces'>,
  text: string,
  argument = '<workspace>',
): Promise<Workspace> {
  if (text === ONLY_WORKSPACE) return onlyWorkspace(await stores.workspaces.list());
  const found = isId(text) ? await stores.workspaces.get(Number(text)) : null;
  if (found) return found;
  return pick(await stores.workspaces.list(), text, ({ name }) => name, { ...WORKSPACE, argument });
}

function onlyWorkspace(all: readonly Workspace[]): Workspace {
  const [only] = all;
  if (only && all.length === 1) return only;
  throw new UsageError(
    all.length === 0 ? 'There is no workspace yet.' : `<workspace> is missing: there are ${all.length}.`,
    all.length === 0 ? 'Make one: kurir workspace create <name>' : 'kurir workspace list shows them.',
    '<workspace>',
  );
}

const AUDIENCE: Kind = { argument: '<audience>', what: 'audience', list: 'kurir audience list <workspace>' };
const JOURNEY: Kind = { argument: '<journey>', what: 'journey', list: 'kurir journey list <workspace>' };

/** An audience of a workspace by id or name. */
export async function findAudience(
  stores: Pick<Stores, 'audiences'>,
  workspaceId: number,
  text: string,
  argument = AUDIENCE.argument,
): Promise<Audience> {
  return pick(await stores.audiences.list(workspaceId), text, ({ name }) => name, { ...AUDIENCE, argument });
}

/** A template of a workspace by id or name, with its content. */
export async function findTemplate(
  stores: Pick<Stores, 'templates'>,
  workspaceId: number,
  text: string,
): Promise<Template> {
  const kind = { argument: '<template>', what: 'template', list: 'kurir template list <workspace>' };
  const { id } = pick(await stores.templates.list(workspaceId), text, ({ name }) => name, kind);
  const found = await stores.templates.get(id);
  if (found) return found;
  throw unknown(text, kind);
}

/** The contact of an address in a workspace. */
export async function findContact(
  stores: Pick<Stores, 'contacts'>,
  workspaceId: number,
  email: string,
): Promise<Contact> {
  const found = await stores.contacts.find(workspaceId, email);
  if (found) return found;
  throw unknown(email, { argument: '<email>', what: 'contact', list: 'kurir contact list <workspace>' });
}

/** A journey of a workspace by id or name. */
export async function findJourney(
  stores: Pick<Stores, 'journeys'>,
  workspaceId: number,
  text: string,
): Promise<Journey> {
  return pick(await stores.journeys.list(workspaceId), text, ({ name }) => name, JOURNEY);
}

/** The error for a journey that is not there, or no longer. */
export const unknownJourney = (text: string): CommandError => unknown(text, JOURNEY);

/** A sending domain of a workspace by id or name; a domain of another workspace counts as unknown. */
export async function findOwnDomain(
  stores: Pick<Stores, 'domains'>,
  workspaceId: number,
  text: string,
  argument: string,
): Promise<SendingDomain> {
  const kind = { argument, what: 'sending domain of the workspace', list: 'kurir domain list <workspace>' };
  return pick(await stores.domains.list(workspaceId), text, ({ domain }) => domain, kind);
}

/** A sending domain by id or name; each name belongs to one workspace only. */
export async function findDomain(stores: Pick<Stores, 'domains'>, text: string): Promise<SendingDomain> {
  const name = domainToASCII(text.replace(/\.$/, '')) || text.toLowerCase();
  const found = isId(text) ? await stores.domains.get(Number(text)) : await stores.domains.findByName(name);
  if (found) return found;
  throw unknown(text, { argument: '<domain>', what: 'sending domain', list: 'kurir domain list' });
}

/** The workspaces to search: the named one, or all. */
async function scope(stores: Pick<Stores, 'workspaces'>, workspace: string | undefined): Promise<Workspace[]> {
  if (workspace === undefined) return stores.workspaces.list();
  return [await findWorkspace(stores, workspace, '--workspace')];
}

/** An API key by id or name, in one workspace or all. A revoked one only if no other has the name. */
export async function findKey(
  stores: Pick<Stores, 'workspaces' | 'credentials'>,
  text: string,
  workspace: string | undefined,
): Promise<ApiKey> {
  const workspaces = await scope(stores, workspace);
  const keys = (await Promise.all(workspaces.map(({ id }) => stores.credentials.listKeys(id)))).flat();
  const live = keys.filter(
    ({ id, revokedAt, name }) => String(id) === text || revokedAt === null || !isTaken(keys, name),
  );
  return pick(live, text, ({ name }) => name, { argument: '<key>', what: 'key', list: 'kurir key list <workspace>' });
}

const isTaken = (keys: readonly ApiKey[], name: string): boolean =>
  keys.some((key) => key.revokedAt === null && key.name.toLowerCase() === name.toLowerCase());

/** A campaign of a workspace by its id. */
export async function findCampaign(
  stores: Pick<Stores, 'campaigns'>,
  workspaceId: number,
  id: number,
): Promise<Campaign> {
  const found = await stores.campaigns.get(workspaceId, id);
  if (found) return found;
  const fix = 'kurir campaign list <workspace> lists what exists.';
  throw new CommandError(`<campaign>: no campaign ${id} found.`, fix, '<campaign>');
}

/** A contact of a workspace by its id or address. */
export async function findRecipient(
  stores: Pick<Stores, 'contacts'>,
  workspaceId: number,
  text: string,
): Promise<Contact> {
  const { contacts } = stores;
  const byId = isId(text) ? await contacts.get(workspaceId, Number(text)) : null;
  const found = byId ?? (isEmailAddress(text) ? await contacts.find(workspaceId, canonicalAddress(text)) : null);
  if (found) return found;
  throw unknown(text, { argument: '<contact>', what: 'contact', list: 'kurir contact list <workspace>' });
}

/** A webhook by its id. */
export async function findWebhook(stores: Pick<Stores, 'webhooks'>, id: number): Promise<Webhook> {
  const found = await stores.webhooks.get(id);
  if (found) return found;
  throw unknown(String(id), { argument: '<webhook>', what: 'webhook', list: 'kurir webhook list' });
}

/** An SMTP login by username or id. */
export async function findLogin(stores: Pick<Stores, 'workspaces' | 'credentials'>, text: string): Promise<SmtpLogin> {
  const kind = { argument: '<login>', what: 'SMTP login', list: 'kurir smtp list <workspace>' };
  if (!isId(text)) {
    const found = await stores.credentials.findLogin(text.toLowerCase());
    if (found) return found;
    throw unknown(text, kind);
  }
  const workspaces = await stores.workspaces.list();
  const logins = (await Promise.all(workspaces.map(({ id }) => stores.credentials.listLogins(id)))).flat();
  return pick(logins, text, ({ username }) => username, kind);
}
