import { changePassword } from '../../operations/people/account';
import { changeUser } from '../../operations/people/people';
import { beginSession } from '../../operations/people/sessions';
import { fieldOf, redirect, type Screen } from '../kit/screen';
import { waitText } from '../sign-in/wait-text';
import { accountPage } from './account-page';
import { attemptOf, depsOf, ME, note, own, ownAction } from './own-account';
import { PASSKEY_SCREENS } from './passkeys';
import { SECOND_FACTOR_SCREENS } from './second-factor';
import { SESSION_SCREENS } from './sessions';

const show = own('', (visit) => accountPage(visit));

const name = ownAction('/name', async (visit) => {
  const { form, user, t } = visit;
  const chosen = fieldOf(form, 'name').trim();
  if (chosen.length > 100 || /\p{Cc}/u.test(chosen)) return accountPage(visit, { at: 'name', message: t.meNameFault });
  await changeUser(depsOf(visit), user.id, (body) => ({ ...body, name: chosen || null }));
  return redirect(ME, t.meSaved);
});

const password = ownAction('/password', async (visit) => {
  const { form, user, session, t } = visit;
  const refused = (message: string) => accountPage(visit, { at: 'password', message });
  const chosen = fieldOf(form, 'chosen');
  if (chosen !== fieldOf(form, 'repeat')) return refused(t.claimDiffers);
  const attempt = { ...attemptOf(visit), password: fieldOf(form, 'password') };
  const end = await changePassword(depsOf(visit), attempt, chosen);
  if (end !== 'changed') {
    if ('wait' in end) return refused(waitText(t, end.wait));
    return refused('old' in end ? t.meWrongPassword : end.fault);
  }
  await note(visit, 'password');
  // This session as well goes on under a new token: the old one may be known to somebody else.
  return { ...redirect(ME, t.mePasswordChanged), session: await beginSession(depsOf(visit), user.id, session.body) };
});

/** The own account of whoever is signed in. */
export const OWN_ACCOUNT: readonly Screen[] = [
  show,
  name,
  password,
  ...SECOND_FACTOR_SCREENS,
  ...PASSKEY_SCREENS,
  ...SESSION_SCREENS,
];
