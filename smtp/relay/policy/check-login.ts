import { timingSafeEqual } from 'node:crypto';
import { texts } from '../../../domain/texts';
import type { SmtpLogin, Workspace } from '../../../domain/settings/workspace';
import { readSwitches } from '../../../operations/installation/switches';
import type { Peer, Reply } from '../protocol/policy';
import type { Login, SubmissionPolicyDeps } from './policy-deps';
import { reply } from './replies';
import type { WrongLogins } from './wrong-logins';

type LoginDeps = Pick<SubmissionPolicyDeps, 'stores' | 'keyring' | 'publicUrl'>;

const WRONG = reply(535, '5.7.8', 'Wrong user name or password');
const TOO_MANY = reply(454, '4.7.0', 'Too many wrong logins; try again in a minute.');
const REPLACED = reply(530, '5.7.0', 'The password was replaced; log in again.');
const STANDBY = reply(451, '4.3.2', 'This server accepts no messages at the moment; try again later.');
/** Compared with where there is no such login. */
const NO_HASH = '0'.repeat(64);

/**
 * AUTH: answers the login, or the reply that refuses it (docs/contract.md#relay-replies). A wrong login is answered
 * late, and alike whatever is wrong with it. An account that may not send is refused only after the right password.
 */
export async function checkLogin(
  deps: LoginDeps,
  wrong: WrongLogins,
  { username, password }: { username: string; password: string },
  peer: Peer,
): Promise<{ login: Login } | { refusal: Reply }> {
  if (await wrong.isBlocked(username, peer)) return { refusal: TOO_MANY };
  const startedAt = performance.now();
  const found = await deps.stores.credentials.findLogin(username);
  const hash = deps.keyring.hashCredential(`${username}:${password}`);
  if (!isSame(hash, found?.hash ?? NO_HASH) || !found) {
    return { refusal: (await wrong.noteWrong(username, peer, startedAt)) ? TOO_MANY : WRONG };
  }
  await wrong.noteRight(username, peer);
  const workspace = await workspaceOf(deps, found);
  const refusal = await accountRefusal(deps, workspace, [535, '5.7.13'], [454, '4.7.0']);
  return refusal ? { refusal } : { login: { username, workspaceId: found.workspaceId, hash } };
}

/**
 * The workspace of a login, or the reply when the login or its account may not send any more, or this process may
 * accept nothing. Looked at in every step of a mail: with a replaced password no penalty is booked and no mail taken,
 * however long ago its MAIL was (docs/contract.md#relay-logins).
 */
export async function recheckLogin(
  deps: LoginDeps & Pick<SubmissionPolicyDeps, 'mayAct'>,
  login: Login,
): Promise<Workspace | Reply> {
  if (!deps.mayAct()) return STANDBY;
  const [found, workspace] = await Promise.all([
    deps.stores.credentials.findLogin(login.username),
    workspaceOf(deps, login),
  ]);
  if (!found || found.hash !== login.hash) return REPLACED;
  return (await accountRefusal(deps, workspace, [550, '5.7.1'], [451, '4.7.1'])) ?? workspace;
}

/** The workspace of a login. Workspaces are never deleted: throws when there is none. */
async function workspaceOf(
  { stores }: Pick<LoginDeps, 'stores'>,
  { workspaceId }: Pick<SmtpLogin, 'workspaceId'>,
): Promise<Workspace> {
  const workspace = await stores.workspaces.get(workspaceId);
  if (!workspace) throw new Error(`There is no workspace ${workspaceId}.`);
  return workspace;
}

type Code = readonly [code: number, enhanced: string];

/** In the order of docs/contract.md#authentication-failures; the module is closed for a time only. */
async function accountRefusal(
  { stores, publicUrl }: LoginDeps,
  workspace: Workspace,
  refused: Code,
  later: Code,
): Promise<Reply | null> {
  if (workspace.suspended) return reply(...refused, texts.workspaceSuspended);
  if (!workspace.emailModule) return reply(...refused, texts.moduleInactive(publicUrl()));
  const { module } = await readSwitches(stores.settings);
  return module ? null : reply(...later, texts.moduleClosed);
}

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
