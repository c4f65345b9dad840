import { BASE } from '../kit/cookies';
import { html, NOTHING, type Html } from '../kit/html';
import { fault, withQuery } from '../kit/components';
import { filled, type Texts } from '../texts/texts';

/** The form to sign in. `next`: where it leads. */
export const signInView = (
  t: Texts,
  { email, next, message }: { email: string; next: string; message: string | null },
): Html =>
  html`<h1>${t.signInTitle}</h1>
    ${fault(message)}
    <form class="fields panel" method="post" action="${BASE}/sign-in">
      <input type="hidden" name="next" value="${next}" />
      <div>
        <label for="email">${t.signInEmail}</label
        ><input id="email" name="email" type="email" value="${email}" required autocomplete="username" autofocus />
      </div>
      <div>
        <label for="password">${t.signInPassword}</label
        ><input id="password" name="password" type="password" required autocomplete="current-password" />
      </div>
      <p><button>${t.signInButton}</button></p>
    </form>
    <p class="soft">${t.signInForgot}</p>`;

/** The way to the provider. A link: a form could not lead to another site. */
export const singleSignOnView = (t: Texts, next: string): Html =>
  html`<p><a class="button" href="${withQuery(`${BASE}/sign-in/oidc`, { next })}">${t.oidcSignIn}</a></p>`;

/** The form for the second factor. */
export const secondView = (t: Texts, message: string | null): Html =>
  html`<h1>${t.secondTitle}</h1>
    ${fault(message)}
    <form class="fields panel" method="post" action="${BASE}/sign-in/second">
      <div>
        <label for="code">${t.secondCode}</label
        ><input
          id="code"
          name="code"
          required
          maxlength="40"
          autocomplete="one-time-code"
          autocapitalize="off"
          spellcheck="false"
          aria-describedby="code-help"
          autofocus
        />
        <p class="help" id="code-help">${t.secondHelp}</p>
      </div>
      <p><button>${t.signInButton}</button></p>
    </form>
    <p class="soft">${t.secondLost}</p>
    <p><a href="${BASE}/sign-in">${t.back}</a></p>`;

export interface ClaimView {
  purpose: 'first' | 'invite' | 'reset';
  /** Null: the person says it. */
  email: string | null;
  /** Has a password that an invitation leaves as it is. */
  isKnown: boolean;
  token: string;
  sent: { email: string; name: string };
  message: string | null;
}

/** The form behind a link that works once. */
export function claimView(t: Texts, { purpose, email, isKnown, token, sent, message }: ClaimView): Html {
  const about = { first: t.claimFirst, invite: t.claimInvite, reset: t.claimReset }[purpose];
  const said = filled(about, { email: email ?? '' });
  const address = html`<div>
    <label for="email">${t.signInEmail}</label
    ><input
      id="email"
      name="email"
      type="email"
      value="${email ?? sent.email}"
      required
      autocomplete="username"
      ${email === null ? NOTHING : html` readonly`}
    />
  </div>`;
  const name = html`<div>
    <label for="name">${t.claimName}</label
    ><input id="name" name="name" value="${sent.name}" maxlength="100" autocomplete="name" />
  </div>`;
  const passwords = html`<div>
      <label for="password">${t.claimPassword}</label
      ><input id="password" name="password" type="password" required minlength="12" autocomplete="new-password" />
    </div>
    <div>
      <label for="repeat">${t.claimRepeat}</label
      ><input id="repeat" name="repeat" type="password" required autocomplete="new-password" />
    </div>`;
  return html`<h1>${t.claimTitle}</h1>
    <p>${said}</p>
    ${fault(message)}
    <form class="fields panel" method="post" action="${BASE}/claim/${token}">
      ${address}${purpose === 'reset' || isKnown ? NOTHING : name}${isKnown ? NOTHING : passwords}
      <p><button>${isKnown ? t.claimAccept : t.claimButton}</button></p>
    </form>`;
}
