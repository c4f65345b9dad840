import { passwordFault } from '../../commands/people/passwords';
import { userOf } from '../../commands/people/people';
import { signIn } from '../../commands/people/sign-in';
import { claimTicket, findTicket, type Ticket } from '../../commands/people/tickets';
import { canonicalAddress, isEmailAddress } from '../../schemas/rules/email-address';
import { BASE } from '../kit/cookies';
import type { FormFields } from '../kit/screen';
import { fieldOf } from '../kit/screen';
import { html, type Html } from '../kit/html';
import { filled } from '../texts/texts';
import type { Guest } from './guest';
import { claimView, signInView } from './views';

/** What a page before sign-in answers: a page, or somebody who is signed in now, and where that leads. */
export type GuestAnswer =
  | { kind: 'page'; title: string; main: Html; status: number }
  | { kind: 'redirect'; to: string }
  | { kind: 'signed in'; email: string; by: 'password' | 'link'; to: string };

/** Only our own screens: a link must not lead on to another site. */
export const safeNext = (next: string): string =>
  /^\/app(?:[/?][!-~]*)?$/.test(next) && !next.includes('\\') && !next.includes('//') ? next : BASE;

export const showSignIn = ({ t }: Guest, next: string, message: string | null = null): GuestAnswer => ({
  ...{ kind: 'page', title: t.signInTitle, status: 200 },
  main: signInView(t, { email: '', next: safeNext(next), message }),
});

/** Signs in by password. */
export async function submitSignIn({ t, deps, address }: Guest, form: FormFields): Promise<GuestAnswer> {
  const email = fieldOf(form, 'email').trim();
  const next = safeNext(fieldOf(form, 'next'));
  const refused = (message: string, status: number): GuestAnswer => ({
    ...{ kind: 'page', title: t.signInTitle, status },
    main: signInView(t, { email, next, message }),
  });
  // What is no address has no account, and takes as long.
  const account = isEmailAddress(email) ? canonicalAddress(email) : '-';
  const attempt = { email: account, address, password: fieldOf(form, 'password') };
  const end = await signIn(deps, attempt);
  if ('wait' in end) return refused(filled(t.signInWait, { seconds: Math.ceil(end.wait / 1_000) }), 429);
  if ('refused' in end) return refused(t.signInRefused, 422);
  return { kind: 'signed in', email: end.user.id, by: 'password', to: next };
}

const gone = ({ t }: Guest): GuestAnswer => ({
  ...{ kind: 'page', title: t.claimTitle, status: 410 },
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
  const isKnown = await keepsPassword(guest, ticket);
  const { purpose } = ticket.body;
  return {
    ...{ kind: 'page', title: guest.t.claimTitle, status: message === null ? 200 : 422 },
    main: claimView(guest.t, { purpose, email: ticket.user, isKnown, token, sent, message }),
  };
}

/** An invitation of somebody who can sign in already leaves the password as it is. */
async function keepsPassword({ deps }: Guest, { user, body }: Ticket): Promise<boolean> {
  return body.purpose === 'invite' && user !== null && (await userOf(deps, user)) !== null;
}

/** Whoever holds the link of somebody who has an account must be that person: the link alone does not say so. */
const needsSignIn = async (guest: Guest, ticket: Ticket): Promise<boolean> =>
  guest.signedIn !== ticket.user && (await keepsPassword(guest, ticket));

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
  const isKnown = await keepsPassword(guest, ticket);
  const given = ticket.user ?? sent.email;
  const password = isKnown ? null : fieldOf(form, 'password');
  const message = faultOfClaim(guest, given, password, fieldOf(form, 'repeat'));
  if (message !== null) return claimPage(guest, token, ticket, sent, message);
  const email = canonicalAddress(given);
  const user = await claimTicket(deps, token, { email, name: sent.name || null, password });
  if (!user) return gone(guest);
  await guest.note('dashboard claim', `${ticket.body.purpose} ${user.id}`, ticket.workspaceId, user.id);
  return isKnown ? { kind: 'redirect', to: BASE } : { kind: 'signed in', email: user.id, by: 'link', to: BASE };
}

function faultOfClaim({ t }: Guest, given: string, password: string | null, repeat: string): string | null {
  if (!isEmailAddress(given)) return t.claimEmailFault;
  if (password === null) return null;
  return passwordFault(password, { email: given }) ?? (password === repeat ? null : t.claimDiffers);
}
