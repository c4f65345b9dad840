import type { OidcGrant, OidcSettings } from '../../domain/people/oidc-settings';
import { give, makeUser, takeInvitations } from './claims';
import { startAfresh, type NoteOfAccount } from './fresh-start';
import { changeKeepingOperator } from './operators';
import { IDENTITIES, removeMembership, setMembership, userOf, type PeopleDeps, type User } from './people';

/** What a provider says of somebody: the address is verified, in its canonical spelling. */
export interface Vouched {
  iss: string;
  sub: string;
  email: string;
  name?: unknown;
  [claim: string]: unknown;
}

/**
 * Who somebody is whom the provider vouches for: a known account, somebody who is invited, or somebody whose claim
 * gives a role. Null for anybody else, and for an account that is disabled or belongs to another person of the
 * provider. What was set up before the address was proved ends first, so that no role joins it.
 */
export async function admit(
  deps: PeopleDeps,
  settings: OidcSettings,
  vouched: Vouched,
  note: NoteOfAccount,
): Promise<User | null> {
  const linked = await linkedTo(deps, vouched);
  const email = linked ?? vouched.email;
  const known = await userOf(deps, email);
  if (known?.body.disabledAt != null) return null;
  if (linked === null && (await isOthers(deps, vouched))) return null;
  const grants = grantsOf(settings, vouched);
  const name = typeof vouched.name === 'string' ? vouched.name.slice(0, 100) : null;
  const invitations = linked === null ? await takeInvitations(deps, email) : [];
  if (!known && invitations.length === 0 && grants.length === 0) return null;
  await makeUser(deps, { email, name, password: null });
  await startAfresh(deps, email, { by: 'provider', note });
  await give(deps, email, invitations);
  if (linked === null) await link(deps, vouched);
  if (settings.roleClaim !== null) await apply(deps, settings, grants, email);
  return userOf(deps, email);
}

const identityId = ({ iss, sub }: Vouched): string => `${iss} ${sub}`;

const linkedTo = async ({ records, clock }: PeopleDeps, vouched: Vouched): Promise<string | null> =>
  (await records.get(IDENTITIES, identityId(vouched), clock.now()))?.user ?? null;

/** True if the account belongs to another person of the provider: an address may be given to somebody new. */
async function isOthers({ records, clock }: PeopleDeps, { iss, email }: Vouched): Promise<boolean> {
  return (await records.list(IDENTITIES, { user: email, prefix: `${iss} `, limit: 1 }, clock.now())).length > 0;
}

async function link({ records, clock }: PeopleDeps, vouched: Vouched): Promise<void> {
  const now = clock.now();
  await records.add(IDENTITIES, { id: identityId(vouched), user: vouched.email, body: { linkedAt: now } }, now);
}

/** What the claim gives: a text, or a list of texts. */
function grantsOf({ roleClaim, grants }: OidcSettings, vouched: Vouched): OidcGrant[] {
  const held = roleClaim === null ? [] : [vouched[roleClaim]].flat();
  return grants.filter(({ value }) => held.includes(value));
}

/** What the claim may give it may also take: the roles of a person follow it at each sign-in. */
async function apply(deps: PeopleDeps, { grants }: OidcSettings, held: OidcGrant[], user: string): Promise<void> {
  if (grants.some(({ role }) => role === 'operator')) {
    const operator = held.some(({ role }) => role === 'operator');
    await changeKeepingOperator(deps, user, (body) => ({ ...body, operator }));
  }
  const workspaces = new Set(grants.flatMap(({ workspaceId }) => workspaceId ?? []));
  for (const workspaceId of workspaces) {
    const grant = held.find((one) => one.workspaceId === workspaceId);
    if (grant && grant.role !== 'operator') await setMembership(deps, { user, workspaceId, role: grant.role });
    else await removeMembership(deps, user, workspaceId);
  }
}
