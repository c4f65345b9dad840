import { passwordFault } from '../../operations/people/passwords';
import { signInByPasskey, signInChallenge } from '../../operations/people/passkeys';
import { claimTicket, wayOf } from '../../operations/people/claims';
import type { NoteOfAccount } from '../../operations/people/fresh-start';
import { userOf, type Account } from '../../operations/people/people';
import { beginSecondHalf, findSecondHalf, finishSecondHalf } from '../../operations/people/pending-sign-in';
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
import type { Guest } from './anonymous-visit';
import { fault } from '../kit/components';
import { passkeyView } from './passkey-view';
import { claimView, secondView, signInView, singleSignOnView } from './views';
import { waitText } from './wait-text';

/** What a page before sign-in answers: a page, or somebody who is signed in now, and where that leads. */
export type GuestAnswer =
  | { kind: 'page'; title: string; main: Html; status: number; script?: string }
  | { kind: 'redirect'; to: string }
  /** The second factor is missing: the token of what has begun. */
  | { kind: 'begun'; token: string; to: string }
  | { kind: 'signed in'; email: string; epoch: number; by: SessionBody['by']; with?: string; to: string };

type Entry = Pick<GuestAnswer & { kind: 'signed in' }, 'by' | 'with' | 'to'>;

/** The answer to somebody who has shown all that is asked for. */
export const signedIn = ({ id, body }: Account, entry: Entry): GuestAnswer => ({
  kind: 'signed in',
  email: id,
  epoch: epochOf(body),
  ...entry,
});

/** Lets somebody in who has shown one factor, unless a second one is set up. */
async function passed({ deps }: Guest, user: Account, entry: Entry): Promise<GuestAnswer> {
  if (user.body.totp === null) return signedIn(user, entry);
  return { kind: 'begun', token: await beginSecondHalf(deps, user, entry), to: `${BASE}/sign-in/second` };
}

function signInPage(
  { t, deps, rp, oidc }: Guest,
  said: { email: string; next: string; message: string | null },
  status = 200,
): GuestAnswer & { kind: 'page' } {
  const { next, message } = said;
  const own = oidc === 'only' ? html`<h1>${t.signInTitle}</h1>${fault(message)}` : signInView(t, said);
  const passkey = rp && oidc !== 'only' && passkeyView(t, { rp, next, challenge: signInChallenge(deps) });
  const main = html`${own}${passkey}${oidc !== false && singleSignOnView(t, next)}`;
  return { kind: 'page', title: t.signInTitle, status, script: 'passkey.js', main };
}

export const showSignIn = (guest: Guest, next: string, message: string | null = null) =>
  signInPage(guest, { email: '', next: ownPath(next), message });

/** Signs in by passkey, which counts as both factors. */
export async function submitPasskey(guest: Guest, form: FormFields): Promise<GuestAnswer> {
  const { t, deps, rp, address, browser } = guest;
  const next = ownPath(fieldOf(form, 'next'));
  if (!rp) return signInPage(guest, { email: '', next, message: t.passkeyRefused }, 422);
  const end = await signInByPasskey(deps, rp, { address, browser, answer: fieldOf(form, 'answer') });
  if ('wait' in end) return signInPage(guest, { email: '', next, message: waitText(t, end.wait) }, 429);
  if ('refused' in end) return signInPage(guest, { email: '', next, message: t.passkeyRefused }, 422);
  return signedIn(end.user, { by: 'passkey', to: next });
}

/** Signs in by password. */
export async function submitSignIn(guest: Guest, form: FormFields): Promise<GuestAnswer> {
  const { t, deps, address, browser } = guest;
  const email = fieldOf(form, 'email').trim();
  const next = ownPath(fieldOf(form, 'next'));
  const refused = (message: string, status: number) => signInPage(guest, { email, next, message }, status);
  // What is no address has no account, and takes as long.
  const account = isEmailAddress(email) ? canonicalAddress(email) : '-';
  const attempt = { email: account, address, browser, password: fieldOf(form, 'password') };
  const end = await signIn(deps, attempt);
  if ('wait' in end) return refused(waitText(t, end.wait), 429);
  if ('refused' in end) return refused(t.signInRefused, 422);
  return passed(guest, end.user, { by: 'password', to: next });
}

const secondPage = ({ t }: Guest, message: string | null, status = 200): GuestAnswer => ({
  kind: 'page',
  title: t.secondTitle,
  status,
  main: secondView(t, message),
});

/** Asks for the second factor, after the first. */
export async function showSecond(guest: Guest): Promise<GuestAnswer> {
  return (await findSecondHalf(guest.deps, guest.begun)) ? secondPage(guest, null) : { kind: 'redirect', to: BASE };
}

/** Signs in by the second factor. */
export async function submitSecond(guest: Guest, form: FormFields): Promise<GuestAnswer> {
  const { t, deps, begun: token, address, browser, realTime: at } = guest;
  const end = await finishSecondHalf(deps, { token, code: fieldOf(form, 'code'), address, browser, at });
  if ('gone' in end) return { ...showSignIn(guest, '', t.secondGone), status: 422 };
  if ('wait' in end) return secondPage(guest, waitText(t, end.wait), 429);
  if ('refused' in end) return secondPage(guest, t.secondRefused, 422);
  const { used, user, by, to } = end;
  const how = used.by === 'code' ? 'a code' : `a recovery code, ${used.left} left`;
  return signedIn(user, { by, with: how, to });
}

const gone = ({ t }: Guest): GuestAnswer => ({
  kind: 'page',
  title: t.claimTitle,
  status: 410,
  main: html`<h1>${t.claimTitle}</h1>
    <p>${t.claimGone}</p>
    <p><a href="${BASE}">${t.signInTitle}</a></p>`,
});

async function claimPage(
  guest: Guest,
  token: string,
  ticket: Ticket,
  sent: { email: string; name: string },
  message: string | null,
): Promise<GuestAnswer> {
  const isKnown = await isAccepted(guest, ticket);
  const { purpose } = ticket.body;
  return {
    kind: 'page',
    title: guest.t.claimTitle,
    status: message === null ? 200 : 422,
    main: claimView(guest.t, { purpose, email: ticket.user, isKnown, token, sent, message }),
  };
}

/** How the trail learns what has ended of an account. */
export const noteOf =
  ({ note }: Guest): NoteOfAccount =>
  (action, target, email) =>
    note(action, target, null, email);

/** An invitation of somebody who can sign in already leaves the password as it is. */
const isAccepted = async ({ deps }: Guest, ticket: Ticket): Promise<boolean> =>
  wayOf(ticket, ticket.user === null ? null : await userOf(deps, ticket.user)) === 'accept';

/** Whoever holds the link of somebody who has an account must be that person: the link alone does not say so. */
const needsSignIn = async (guest: Guest, ticket: Ticket): Promise<boolean> =>
  guest.signedIn !== ticket.user && (await isAccepted(guest, ticket));

export async function showClaim(guest: Guest, token: string): Promise<GuestAnswer> {
  const ticket = await findTicket(guest.deps, token);
  if (!ticket) return gone(guest);
  if (await needsSignIn(guest, ticket)) return showSignIn(guest, `${BASE}/claim/${token}`, guest.t.claimKnown);
  return claimPage(guest, token, ticket, { email: '', name: '' }, null);
}

/** Uses a link that works once. */
export async function submitClaim(guest: Guest, token: string, form: FormFields): Promise<GuestAnswer> {
  const { t, deps } = guest;
  const ticket = await findTicket(deps, token);
  if (!ticket) return gone(guest);
  const sent = { email: fieldOf(form, 'email').trim(), name: fieldOf(form, 'name').trim().slice(0, 100) };
  if (await needsSignIn(guest, ticket)) return showSignIn(guest, `${BASE}/claim/${token}`, t.claimKnown);
  const isKnown = await isAccepted(guest, ticket);
  const given = ticket.user ?? sent.email;
  const password = isKnown ? null : fieldOf(form, 'password');
  const message = faultOfClaim(guest, given, password, fieldOf(form, 'repeat'));
  if (message !== null) return claimPage(guest, token, ticket, sent, message);
  const email = canonicalAddress(given);
  const claimed = await claimTicket(deps, token, { email, name: sent.name || null, password }, noteOf(guest));
  if (!claimed) return gone(guest);
  const { user, chosen } = claimed;
  await guest.note('dashboard claim', `${ticket.body.purpose} ${user.id}`, ticket.workspaceId, user.id);
  // A link is one factor: whoever reads the mail of somebody else is not let in by it.
  return chosen ? passed(guest, chosen, { by: 'link', to: BASE }) : { kind: 'redirect', to: BASE };
}

function faultOfClaim({ t }: Guest, given: string, password: string | null, repeat: string): string | null {
  if (!isEmailAddress(given)) return t.claimEmailFault;
  if (password === null) return null;
  return passwordFault(password, { email: given }) ?? (password === repeat ? null : t.claimDiffers);
}
