import { html, NOTHING, type Html } from '../kit/html';
import { fault } from '../kit/components';
import { page, type Answer, type Visit } from '../kit/screen';
import { ME } from './own-account';
import { passkeysView } from './passkeys-view';
import { secondFactorView } from './second-factor-views';
import { sessionsView } from './sessions';

/** What was refused, and in which part of the page. */
export interface Refusal {
  at: 'name' | 'password' | 'second' | 'passkey';
  message: string;
}

const nameForm = ({ t, csrf, user }: Visit, message: string | null): Html =>
  html`${fault(message)}
    <form class="fields" method="post" action="${ME}/name">
      ${csrf}
      <div>
        <label for="name">${t.claimName}</label
        ><input id="name" name="name" value="${user.body.name ?? ''}" maxlength="100" autocomplete="name" />
        <p class="help">${user.id}</p>
      </div>
      <p><button>${t.save}</button></p>
    </form>`;

const newPasswordForm = ({ t, csrf, user }: Visit, message: string | null): Html =>
  html`<h2>${t.mePassword}</h2>
    <p>${t.mePasswordAbout}</p>
    ${fault(message)}
    <form class="fields" method="post" action="${ME}/password">
      ${csrf}<input type="hidden" autocomplete="username" value="${user.id}" />
      <div>
        <label for="old">${t.mePasswordNow}</label
        ><input id="old" name="password" type="password" required autocomplete="current-password" />
      </div>
      <div>
        <label for="chosen">${t.claimPassword}</label
        ><input id="chosen" name="chosen" type="password" required minlength="12" autocomplete="new-password" />
      </div>
      <div>
        <label for="repeat">${t.claimRepeat}</label
        ><input id="repeat" name="repeat" type="password" required autocomplete="new-password" />
      </div>
      <p><button>${t.mePasswordChange}</button></p>
    </form>`;

/** Your account: name, password, second factor, passkeys, sessions. */
export async function accountPage(visit: Visit, refusal: Refusal | null = null): Promise<Answer> {
  const { t, user } = visit;
  const said = (at: Refusal['at']): string | null => (refusal?.at === at ? refusal.message : null);
  // The provider asks for what it holds needed where it is the only way in.
  const hasOwnWays = visit.services.config.oidc?.only !== true;
  const hasPassword = hasOwnWays && user.body.password !== null;
  const main = html`<h1>${t.account}</h1>
    ${nameForm(visit, said('name'))}
    ${hasPassword ? newPasswordForm(visit, said('password')) : NOTHING}
    ${hasOwnWays ? html`${secondFactorView(visit, said('second'))}${await passkeysView(visit, said('passkey'))}` : NOTHING}
    ${await sessionsView(visit)}`;
  return page(t.account, main, refusal ? 422 : 200);
}
