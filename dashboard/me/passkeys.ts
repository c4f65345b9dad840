import { addPasskey, beginPasskey, removePasskey } from '../../operations/people/passkeys';
import { html } from '../kit/html';
import { fieldOf, page, redirect, type Screen } from '../kit/screen';
import { accountPage } from './account-page';
import { depsOf, ME, note, ownAction, refusedProof } from './own-account';
import { rpOf } from './passkeys-view';

const begin = ownAction('/passkeys', async (visit) => {
  const { t, csrf, user } = visit;
  const rp = rpOf(visit);
  const message = rp ? await refusedProof(visit) : t.passkeysNoHost;
  if (!rp || message !== null) return accountPage(visit, { at: 'passkey', message: message ?? '' });
  const { token, options } = await beginPasskey(depsOf(visit), rp, user);
  const main = html`<h1>${t.passkeyBegin}</h1>
    <p>${t.passkeyMakeAbout}</p>
    <form
      class="fields"
      method="post"
      action="${ME}/passkeys/add"
      data-passkey="create"
      data-origin="${rp.origin}"
      data-options="${JSON.stringify(options)}"
      hidden
    >
      ${csrf}<input type="hidden" name="token" value="${token}" /><input type="hidden" name="answer" value="" />
      <div>
        <label for="name">${t.passkeyName}</label
        ><input id="name" name="name" required maxlength="60" placeholder="${t.passkeyExample}" />
      </div>
      <p class="fault" role="alert" hidden>${t.passkeyNotMade}</p>
      <p class="acts"><button>${t.passkeyMake}</button></p>
    </form>
    <p><a href="${ME}">${t.cancel}</a></p>`;
  return { ...page(t.passkeyBegin, main), script: 'passkey.js' };
});

const add = ownAction('/passkeys/add', async (visit) => {
  const { t, form, user } = visit;
  const rp = rpOf(visit);
  const name = fieldOf(form, 'name').trim().slice(0, 60) || t.passkeys;
  const made = { token: fieldOf(form, 'token'), name, answer: fieldOf(form, 'answer') };
  if (!rp || !(await addPasskey(depsOf(visit), rp, user.id, made))) {
    return accountPage(visit, { at: 'passkey', message: t.passkeyNotMade });
  }
  await note(visit, 'passkey added');
  return redirect(ME, t.passkeyAdded);
});

const remove = ownAction('/passkeys/remove', async (visit) => {
  const { t, form, user } = visit;
  if (await removePasskey(depsOf(visit), user.id, fieldOf(form, 'id'))) await note(visit, 'passkey removed');
  return redirect(ME, t.passkeyRemoved);
});

export const PASSKEY_SCREENS: readonly Screen[] = [begin, add, remove];
