import { BASE } from '../kit/cookies';
import { html, NOTHING, type Html } from '../kit/html';
import { button, QUESTION } from '../kit/components';
import type { Visit } from '../kit/screen';
import { ME, proofOf } from './own-account';

interface ProofForm {
  /** Tells this form from the others of the page. */
  id: string;
  /** What it does; the first is what Enter does. */
  acts: readonly { to: string; label: string; confirm?: string; kind?: 'danger' }[];
}

const passwordField = ({ t }: Visit, id: string): Html =>
  html`<div>
    <label for="${id}-password">${t.mePasswordNow}</label
    ><input id="${id}-password" name="password" type="password" required autocomplete="current-password" />
  </div>`;

/** Buttons that take the password again; without a password, those of somebody who has just signed in. */
export function proofForm(visit: Visit, { id, acts }: ProofForm): Html {
  const { t, csrf, user } = visit;
  const proof = proofOf(visit);
  if (proof === 'stale') {
    return html`<p>${t.meStale}</p>
      ${button(csrf, { to: `${BASE}/sign-out`, label: t.meSignInAgain, fields: { next: ME } })}`;
  }
  return html`<form class="fields" method="post" action="${acts[0]?.to}">
    ${csrf}<input type="hidden" autocomplete="username" value="${user.id}" />${proof === 'password' ? passwordField(visit, id) : NOTHING}
    <p class="acts">
      ${acts.map(
        ({ to, label, confirm, kind }) =>
          html`<button
            class="${kind ?? (acts.length > 1 ? 'plain' : '')}"
            formaction="${to}"
            ${confirm ? html` name="${QUESTION}" value="${confirm}" data-confirm="${confirm}"` : NOTHING}
          >
            ${label}
          </button>`,
      )}
    </p>
  </form>`;
}
