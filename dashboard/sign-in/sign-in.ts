import { passwordFault } from '../../operations/people/passwords';
import { signInByPasskey, signInChallenge } from '../../operations/people/passkeys';
import { claimTicket, wayOf } from '../../operations/people/claims';
import type { NoteOfAccount } from '../../operations/people/fresh-start';
import { userOf, type Account } from '../../operations/people/people';
import { beginPendingSignIn, findPendingSignIn, finishPendingSignIn } from '../../operations/people/pending-sign-in';
import { signIn } from '../../operations/people/sign-in';
import { findTicket, type Ticket } from '../../operations/people/tickets';
import { epochOf } from '../../domain/people/account-trust';
import type { SessionBody } from '../../operations/people/sessions';
import { canonicalAddress, isEmailAddress } from '../../schemas/rules/email-address';
import { BASE } from '../kit/cookies';
import type { FormFields } from '../kit/screen';
import { ownPath } from '../kit/own-path';
import { fieldOf } from '../kit/screen';
import { html, type Html } from '../kit/html';
import type { AnonymousVisit } from './anonymous-visit';
import { fault } from '../kit/components';
import { passkeyView } from './passkey-view';
import { claimView, secondView, signInView, singleSignOnView } from './views';
import { waitText } from './wait-text';

/** What a page before sign-in answers: a page, or somebody who is signed in now, and where that leads. */
export type AnonymousAnswer =
  | { kind: 'page'; title: string; main: Html; status: number; script?: string }
  | { kind: 'redirect'; to: string }
  /** The second factor is missing: the token of what has begun. */
  | { kind: 'begun'; token: string; to: string }
  | { kind: 'signed in'; email: string; epoch: number; by: SessionBody['by']; with?: string; to: string };

type Entry = Pick<AnonymousAnswer & { kind: 'signed in' }, 'by' | 'with' | 'to'>;

/** The answer to somebody who has shown all that is asked for. */
export const signedIn = ({ id, body }: Account, entry: Entry): AnonymousAnswer => ({
  kind: 'signed in',
  email: id,
  epoch: epochOf(body),
  ...entry,
});

/** Lets somebody in who has shown one factor, unless a second one is set up. */
async function passed({ deps }: AnonymousVisit, user: Account, entry: Entry): Promise<AnonymousAnswer> {
  if (user.body.totp === null) return signedIn(user, entry);
  return { kind: 'begun', token: await beginPendingSignIn(deps, user, entry), to: `${BASE}/sign-in/second` };
}

function signInPage(
  { t, deps, rp, oidc }: AnonymousVisit,
  said: { email: string; next: string; message: string | null },
  status = 200,
): AnonymousAnswer & { kind: 'page' } {
  const { next, message } = said;
  const own = oidc === 'only' ? html`<h1>${t.signInTitle}</h1>${fault(message)}` : signInView(t, said);
  const passkey = rp && oidc !== 'only' && passkeyView(t, { rp, next, challenge: signInChallenge(deps) });
  const main = html`${own}${passkey}${oidc !== false && singleSignOnView(t, next)}`;
  return { kind: 'page', title: t.signInTitle, status, script: 'passkey.js', main };
}

export const showSignIn = (visit: AnonymousVisit, next: string, message: string | null = null) =>
  signInPage(visit, { email: '', next: ownPath(next), message });

/** Signs in by passkey, which counts as both factors. */
export async function submitPasskey(visit: AnonymousVisit, form: FormFields): Promise<AnonymousAnswer> {
  const { t, deps, rp, address, browser } = visit;
  const next = ownPath(fieldOf(form, 'next'));
  if (!rp) return signInPage(visit, { email: '', next, message: t.passkeyRefused }, 422);
  const end = await signInByPasskey(deps, rp, { address, browser, answer: fieldOf(form, 'answer') });
  if ('wait' in end) return signInPage(visit, { email: '', next, message: waitText(t, end.wait) }, 429);
  if ('refused' in end) return signInPage(visit, { email: '', next, message: t.passkeyRefused }, 422);
  return signedIn(end.user, { by: 'passkey', to: next });
}

/** Signs in by password. */
export async function submitSignIn(visit: AnonymousVisit, form: FormFields): Promise<AnonymousAnswer> {
  const { t, deps, address, browser } = visit;
  const email = fieldOf(form, 'email').trim();
  const next = ownPath(fieldOf(form, 'next'));
  const refused = (message: string, status: number) => signInPage(visit, { email, next, message }, status);
  // What is no address has no account, and takes as long.
  const account = isEmailAddress(email) ? canonicalAddress(email) : '-';
  const attempt = { email: account, address, browser, password: fieldOf(form, 'password') };
  const end = await signIn(deps, attempt);
  if ('wait' in end) return refused(waitText(t, end.wait), 429);
  if ('refused' in end) return refused(t.signInRefused, 422);
  return passed(visit, end.user, { by: 'password', to: next });
}

const secondPage = ({ t }: AnonymousVisit, message: string | null, status = 200): AnonymousAnswer => ({
  kind: 'page',
  title: t.secondTitle,
  status,
  main: secondView(t, message),
});

/** Asks for the second factor, after the first. */
export async function showSecond(visit: AnonymousVisit): Promise<AnonymousAnswer> {
  return (await findPendingSignIn(visit.deps, visit.begun)) ? secondPage(visit, null) : { kind: 'redirect', to: BASE };
}

/** Signs in by the second factor. */
export async function submitSecond(visit: AnonymousVisit, form: FormFields): Promise<AnonymousAnswer> {
  const { t, deps, begun: token, address, browser, realTime: at } = visit;
  const end = await finishPendingSignIn(deps, { token, code: fieldOf(form, 'code'), address, browser, at });
  if ('gone' in end) return { ...showSignIn(visit, '', t.secondGone), status: 422 };
  if ('wait' in end) return secondPage(visit, waitText(t, end.wait), 429);
  if ('refused' in end) return secondPage(visit, t.secondRefused, 422);
  const { used, user, by, to } = end;
  const how = used.by === 'code' ? 'a code' : `a recovery code, ${used.left} left`;
  return signedIn(user, { by, with: how, to });
}

const gone = ({ t }: AnonymousVisit): AnonymousAnswer => ({
  kind: 'page',
  title: t.claimTitle,
  status: 410,
  main: html`<h1>${t.claimTitle}</h1>
    <p>${t.claimGone}</p>
    <p><a href="${BASE}">${t.signInTitle}</a></p>`,
});

async function claimPage(
  visit: AnonymousVisit,
  token: string,
  ticket: Ticket,
  sent: { email: string; name: string },
  message: string | null,
): Promise<AnonymousAnswer> {
  const isKnown = await isAccepted(visit, ticket);
  const { purpose } = ticket.body;
  return {
    kind: 'page',
    title: visit.t.claimTitle,
    status: message === null ? 200 : 422,
    main: claimView(visit.t, { purpose, email: ticket.user, isKnown, token, sent, message }),
  };
}

/** How the trail learns what has ended of an account. */
export const noteOf =
  ({ note }: AnonymousVisit): NoteOfAccount =>
  (action, target, email) =>
    note(action, target, null, email);

/** An invitation of somebody who can sign in already leaves the password as it is. */
const isAccepted = async ({ deps }: AnonymousVisit, ticket: Ticket): Promise<boolean> =>
  wayOf(ticket, ticket.user === null ? null : await userOf(deps, ticket.user)) === 'accept';

/** Whoever holds the link of somebody who has an account must be that person: the link alone does not say so. */
const needsSignIn = async (visit: AnonymousVisit, ticket: Ticket): Promise<boolean> =>
  visit.signedIn !== ticket.user && (await isAccepted(visit, ticket));

export async function showClaim(visit: AnonymousVisit, token: string): Promise<AnonymousAnswer> {
  const ticket = await findTicket(visit.deps, token);
  if (!ticket) return gone(visit);
  if (await needsSignIn(visit, ticket)) return showSignIn(visit, `${BASE}/claim/${token}`, visit.t.claimKnown);
  return claimPage(visit, token, ticket, { email: '', name: '' }, null);
}

/** Uses a link that works once. */
export async function submitClaim(visit: AnonymousVisit, token: string, form: FormFields): Promise<AnonymousAnswer> {
  const { t, deps } = visit;
  const ticket = await findTicket(deps, token);
  if (!ticket) return gone(visit);
  const sent = { email: fieldOf(form, 'email').trim(), name: fieldOf(form, 'name').trim().slice(0, 100) };
  if (await needsSignIn(visit, ticket)) return showSignIn(visit, `${BASE}/claim/${token}`, t.claimKnown);
  const isKnown = await isAccepted(visit, ticket);
  const given = ticket.user ?? sent.email;
  const password = isKnown ? null : fieldOf(form, 'password');
  const message = faultOfClaim(visit, given, password, fieldOf(form, 'repeat'));
  if (message !== null) return claimPage(visit, token, ticket, sent, message);
  const email = canonicalAddress(given);
  const claimed = await claimTicket(deps, token, { email, name: sent.name || null, password }, noteOf(visit));
  if (!claimed) return gone(visit);
  const { user, chosen } = claimed;
  await visit.note('dashboard claim', `${ticket.body.purpose} ${user.id}`, ticket.workspaceId, user.id);
  // A link is one factor: whoever reads the mail of somebody else is not let in by it.
  return chosen ? passed(visit, chosen, { by: 'link', to: BASE }) : { kind: 'redirect', to: BASE };
}

function faultOfClaim({ t }: AnonymousVisit, given: string, password: string | null, repeat: string): string | null {
  if (!isEmailAddress(given)) return t.claimEmailFault;
  if (password === null) return null;
  return passwordFault(password, { email: given }) ?? (password === repeat ? null : t.claimDiffers);
}
