import { noun } from '../../schemas/rules/nouns';
import { passkeysOf, removeFactors, removePasskeys } from './passkeys';
import { userOf, type PeopleDeps } from './people';
import { makeTicket } from './tickets';
import { isNewTrust } from '../../domain/people/account-trust';
import { WORKSPACE_ROLES } from '../../domain/people/role';
import type { Workspace } from '../../domain/settings/workspace';
import { mailLink, type LinkSender } from './link-mail';
import { isOperator } from '../domains/domain-check';
import { hostName } from '../domains/domain-view';
import { dashboardUrl } from '../installation/public-url';
import {
  address,
  argument,
  flag,
  NotFoundError,
  oneOf,
  operation,
  option,
  type Session,
  UsageError,
  why,
  workspaceOption,
} from '../definition';

export const email = argument('email address of the user', address);
export const role = (about: string) => option('<role>', about, oneOf(...WORKSPACE_ROLES));

export const depsOf = ({ stores, clock }: Session): PeopleDeps => ({ records: stores.records, clock });

export const unknownUser = (address: string): NotFoundError =>
  new NotFoundError(why('no_user', { label: '<email>', email: address }), 'kurir user list shows the users.');

const WITHOUT = { label: '--operator', one: '--role', two: '--workspace' };

/** A role goes with a workspace, and the installation has one role: operator. Throws UsageError. */
export function checkRole({
  role,
  workspace,
  operator,
}: {
  role?: string | undefined;
  workspace?: string | undefined;
  operator: boolean;
}): void {
  if (operator && (role !== undefined || workspace !== undefined)) {
    throw new UsageError(why('goes_without', WITHOUT), 'Use only one of them.');
  }
  if (operator || (role !== undefined && workspace !== undefined)) return;
  const label = role === undefined ? '--role' : '--workspace';
  throw new UsageError(why('missing', { label }), 'Use --role with --workspace, or --operator.');
}

const linkOf = (session: Session, token: string): string => `${dashboardUrl(session)}/app/claim/${token}`;

/** Who sends a link: the workspace, or the domain that was named. Null: nobody. Throws NotFoundError. */
async function senderOf(
  { stores }: Session,
  of: Workspace | null,
  name: string | undefined,
): Promise<LinkSender | null> {
  if (of) return { workspace: of, domain: null };
  if (name === undefined) return null;
  const domain = await stores.domains.findByName(name);
  const workspace = domain && (await stores.workspaces.get(domain.workspaceId));
  if (workspace) return { workspace, domain };
  const reason = why('unknown', { label: '--sender', what: noun('sending_domain'), text: name });
  throw new NotFoundError(reason, 'kurir domain list shows the sending domains.');
}

const NO_SENDER =
  'No --sender was given: the link for an administrator is emailed only from a sending domain that you name.';

/** The link that the caller sees vouches for nobody but an operator: whoever asks for it can open it. */
const trustOf = ({ access }: Session): { trust?: 'operator' } => (isOperator(access) ? { trust: 'operator' } : {});

export const invite = operation('user.invite', 'owner', {
  summary: 'invite a user; prints a link that works once, and emails another one if possible',
  arguments: { email },
  options: {
    role: role('role in the workspace'),
    workspace: workspaceOption('id or name of the workspace'),
    operator: flag('invite an administrator of the installation, with all permissions'),
    sender: option(
      '<domain>',
      'with --operator: the sending domain that emails the link; its workspace pays',
      hostName,
    ),
  },
  examples: [
    ['user invite siti@toko.example --role editor --workspace 1', 'a member of a workspace'],
    ['user invite budi@toko.example --operator', 'an administrator'],
    ['user invite budi@toko.example --operator --sender toko.example', 'emails the link, too'],
  ],
  notes:
    'A link works for seven days. A newer invitation to the same workspace replaces it. The workspace emails it ' +
    'from its first active domain, for one coin; without one the link is only printed. The email has a separate link: ' +
    'using it proves that the user owns the address.',
  check: (given) => {
    checkRole(given);
    if (given.sender === undefined || given.operator) return;
    throw new UsageError(
      why('goes_with', { label: '--sender', other: '--operator' }),
      'A workspace sends from its own domain.',
    );
  },
  handler: async (input, session) => {
    const of = input.workspace ?? null;
    const what = input.role ?? 'operator';
    // Before the ticket: without an address of the service there is no link to give.
    const place = of?.name ?? new URL(dashboardUrl(session)).host;
    const sender = await senderOf(session, of, input.sender);
    await session.note('user invite', `${input.email}: ${what}`, of?.id ?? null);
    const grant = { operator: input.operator, workspaceId: of?.id ?? null, role: input.role ?? null };
    const make = (trust: { trust?: 'operator' | 'mail' }): Promise<string> =>
      makeTicket(depsOf(session), 'invite', input.email, grant, trust);
    const link = linkOf(session, await make(trustOf(session)));
    const mailed = { email: input.email, place, link: async () => linkOf(session, await make({ trust: 'mail' })) };
    const why = sender ? await mailLink(session, 'invitation', mailed, sender) : NO_SENDER;
    return {
      email: input.email,
      role: what,
      workspace_id: of?.id ?? null,
      link,
      mailed: why === null,
      not_mailed: why,
    };
  },
  text: ({ email, link, mailed, not_mailed: why }) =>
    mailed
      ? `${email} gets a link by email. This one works once, too:\n${link}\n`
      : `Give this link to ${email}; it works once:\n${link}\nIt was not emailed: ${why}\n`,
});

const named = (keys: readonly { body: { name: string } }[]): string[] => keys.map(({ body }) => body.name).sort();

export const reset = operation('user.reset', 'operator', {
  irreversible: true,
  summary: 'create a link to choose a new password; it works once, for 24 hours',
  arguments: { email },
  options: {
    secondFactor: flag('also remove two-factor authentication, its recovery codes and the link to single sign-on'),
    keepPasskeys: flag('keep the passkeys, which are removed otherwise'),
    sender: option('<domain>', 'the sending domain that emails a link, too; its workspace pays', hostName),
  },
  examples: [
    ['user reset siti@toko.example', 'a forgotten password'],
    ['user reset siti@toko.example --second-factor', 'a lost phone'],
    ['user reset siti@toko.example --keep-passkeys', 'passkeys still work'],
    ['user reset siti@toko.example --sender toko.example', 'emails the link, too, which proves the address'],
  ],
  notes:
    'Passkeys are removed immediately, the password and sessions when the link is used. If the address is not proved yet ' +
    '(kurir user list), two-factor authentication is removed with them.',
  handler: async (input, session) => {
    const deps = depsOf(session);
    const user = await userOf(deps, input.email);
    if (!user) throw unknownUser(input.email);
    const place = new URL(dashboardUrl(session)).host;
    const sender = await senderOf(session, null, input.sender);
    const passkeys = await passkeysOf(deps, input.email);
    const [kept, ended] = input.keepPasskeys ? [passkeys, []] : [[], passkeys];
    await session.note('user reset', resetText(input, named(ended)), null);
    if (input.secondFactor) await removeFactors(deps, input.email, { keepsPasskeys: input.keepPasskeys });
    else if (!input.keepPasskeys) await removePasskeys(deps, input.email);
    const make = (trust: 'operator' | 'mail'): Promise<string> =>
      makeTicket(deps, 'reset', input.email, null, { trust, keep: kept.map(({ id }) => id) });
    const link = linkOf(session, await make('operator'));
    const mailed = { email: input.email, place, link: async () => linkOf(session, await make('mail')) };
    const why = sender ? await mailLink(session, 'reset', mailed, sender) : 'No --sender was given.';
    return {
      email: input.email,
      second_factor_removed: input.secondFactor,
      passkeys_removed: named(ended),
      passkeys_kept: named(kept),
      starts_afresh: isNewTrust(user.body, 'operator'),
      link,
      mailed: why === null,
      not_mailed: why,
    };
  },
  text: ({ email, link, passkeys_removed: ended, starts_afresh: isAfresh, mailed }) =>
    [
      mailed
        ? `${email} gets a link by email. This one works once, too:`
        : `Give this link to ${email}; it works once:`,
      link,
      ...(ended.length > 0 ? [`Removed passkeys: ${ended.join(', ')}`] : []),
      ...(isAfresh
        ? [
            'The email address of this account is not verified yet: its two-factor authentication is removed when the link is used.',
          ]
        : []),
    ].join('\n') + '\n',
});

/** What a reset takes, in the words of the trail. */
function resetText({ email, secondFactor }: { email: string; secondFactor: boolean }, passkeys: string[]): string {
  const more = passkeys.length > 0 ? [`passkeys ${passkeys.map((name) => `"${name}"`).join(', ')}`] : [];
  return `${email}: ${['password', ...(secondFactor ? ['2FA'] : []), ...more].join(', ')}`;
}
