import {
  addPasskey,
  beginPasskey,
  passkeysOf,
  relyingPartyOf,
  removePasskey,
  type RelyingParty,
} from '../../commands/people/passkeys';
import { html, type Html } from '../kit/html';
import { button, fault, table, time } from '../kit/parts';
import { fieldOf, page, redirect, type Screen, type Visit } from '../kit/screen';
import { accountPage } from './account-page';
import { depsOf, ME, note, ownAction, refusedPassword } from './own-account';
import { passwordForm } from './password-form';

const rpOf = ({ services }: Visit): RelyingParty | null => relyingPartyOf(services.publicUrl());

/** The passkeys on the page of the account. */
export async function passkeysView(visit: Visit, message: string | null): Promise<Html> {
  const { t, csrf, user } = visit;
  if (!rpOf(visit)) return html`<h2>${t.passkeys}</h2><p class="soft">${t.passkeysNoHost}</p>`;
  return html`<h2>${t.passkeys}</h2>
    <p>${t.passkeysAbout}</p>
    ${fault(message)}
    ${table(
      t.passkeys,
      await passkeysOf(depsOf(visit), user.id),
      [
        { title: t.passkeyName, cell: ({ body }) => body.name },
        { title: t.passkeyMade, cell: ({ body }) => time(body.createdAt), is: 'time' },
        { title: t.meSessionUsed, cell: ({ body }) => time(body.lastUsedAt), is: 'time' },
        {
          title: t.actions,
          cell: ({ id }) =>
            button(csrf, {
              ...{ to: `${ME}/passkeys/remove`, label: t.passkeyRemove, confirm: t.passkeyRemoveSure },
              ...{ fields: { id }, kind: 'danger' },
            }),
        },
      ],
      t.passkeysNone,
    )}
    ${passwordForm(visit, { id: 'passkey', acts: [{ to: `${ME}/passkeys`, label: t.passkeyBegin }] })}`;
}

const begin = ownAction('/passkeys', async (visit) => {
  const { t, csrf, user } = visit;
  const rp = rpOf(visit);
  const message = rp ? await refusedPassword(visit) : t.passkeysNoHost;
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
