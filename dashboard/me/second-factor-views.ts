import { html, NOTHING, type Html } from '../kit/html';
import { fault, tag } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { ME } from './own-account';
import { proofForm } from './proof-form';
import { qrCode } from './qr-code';

/** The second factor on the page of the account. */
export function secondFactorView(visit: Visit, message: string | null): Html {
  const { t, user } = visit;
  const isOn = user.body.totp !== null;
  return html`<h2>${t.meSecond} ${isOn ? tag(t.meOn, 'good') : tag(t.meOff, 'warn')}</h2>
    <p>${t.meSecondAbout}</p>
    ${fault(message)}${isOn ? whenOn(visit) : whenOff(visit)}`;
}

const whenOff = (visit: Visit): Html =>
  proofForm(visit, { id: 'second', acts: [{ to: `${ME}/second-factor`, label: visit.t.meSecondSetUp }] });

const whenOn = (visit: Visit): Html => {
  const { t, user } = visit;
  const left = user.body.recovery.length;
  return html`<p class="${left < 3 ? 'notice warn' : 'soft'}">${filled(t.meRecoveryLeft, { count: left })}</p>
    ${proofForm(visit, {
      id: 'second',
      acts: [
        { to: `${ME}/second-factor/recovery`, label: t.meRecoveryRenew },
        { to: `${ME}/second-factor/off`, label: t.meSecondOff, confirm: t.meSecondOffSure, kind: 'danger' },
      ],
    })}`;
};

/** The secret for an authenticator app, in each form that it may be given in. */
export const setUpView = (
  { t, csrf }: Visit,
  { token, secret, uri, message }: { token: string; secret: string; uri: string; message: string | null },
): Html =>
  html`<h1>${t.meSecondSetUp}</h1>
    <ol>
      <li>
        <p>${t.meSecondScan}</p>
        ${qrCode(uri, t.meSecondQr)}
        <p><a class="button plain" href="${uri}">${t.meSecondOpen}</a></p>
        <p>${t.meSecondType} <code>${secret.match(/.{1,4}/g)?.join(' ') ?? secret}</code></p>
      </li>
      <li>
        <p>${t.meSecondThen}</p>
        ${fault(message)}
        <form class="fields" method="post" action="${ME}/second-factor/confirm">
          ${csrf}<input type="hidden" name="token" value="${token}" />
          <div>
            <label for="code">${t.meSecondCode}</label
            ><input
              id="code"
              name="code"
              required
              maxlength="10"
              inputmode="numeric"
              autocomplete="one-time-code"
              ${message === null ? NOTHING : html` aria-invalid="true"`}
            />
          </div>
          <p class="acts"><button>${t.meSecondOnButton}</button> <a href="${ME}">${t.cancel}</a></p>
        </form>
      </li>
    </ol>`;

/** The recovery codes, which are shown once; `done`: what has happened. */
export const recoveryView = ({ t }: Visit, codes: readonly string[], done: string | null = null): Html =>
  html`<h1>${t.meRecovery}</h1>
    ${done !== null && html`<p class="notice good" role="status">${done}</p>`}
    <p>${t.meRecoveryAbout}</p>
    <pre>${codes.join('\n')}</pre>
    <p class="acts">
      <button class="plain" type="button" data-copy="${codes.join('\n')}">${t.meCopy}</button>
      <a class="button" href="${ME}">${t.meRecoveryKept}</a>
    </p>`;
