import { html, NOTHING, type Html } from '../kit/html';
import type { Visit } from '../kit/screen';

interface PasswordForm {
  /** Tells this form from the others of the page. */
  id: string;
  /** What it does; the first is what Enter does. */
  acts: readonly { to: string; label: string; confirm?: string; kind?: 'danger' }[];
  /** Further fields. */
  more?: Html;
}

/** Buttons that take the password again. */
export function passwordForm({ t, csrf, user }: Visit, { id, acts, more }: PasswordForm): Html {
  const [first] = acts;
  return html`<form class="fields" method="post" action="${first?.to}">
    ${csrf}<input type="hidden" autocomplete="username" value="${user.id}" />${more}
    <div>
      <label for="${id}-password">${t.mePasswordNow}</label
      ><input id="${id}-password" name="password" type="password" required autocomplete="current-password" />
    </div>
    <p class="acts">
      ${acts.map(
        ({ to, label, confirm, kind }) =>
          html`<button
            class="${kind ?? (acts.length > 1 ? 'plain' : '')}"
            formaction="${to}"
            ${confirm ? html` data-confirm="${confirm}"` : NOTHING}
          >
            ${label}
          </button>`,
      )}
    </p>
  </form>`;
}
