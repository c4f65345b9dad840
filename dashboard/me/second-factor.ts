import { epochOf } from '../../domain/people/account-trust';
import { beginChallenge, findChallenge, takeChallenge } from '../../operations/people/challenges';
import {
  enableSecondFactor,
  newSecret,
  removeSecondFactor,
  renewRecovery,
  secretLink,
} from '../../operations/people/second-factor';
import { endSessions } from '../../operations/people/sessions';
import { fieldOf, page, redirect, type Answer, type Screen, type Visit } from '../kit/screen';
import { accountPage } from './account-page';
import { depsOf, ME, note, ownAction, realTime, refusedProof } from './own-account';
import { recoveryView, setUpView } from './second-factor-views';

/** What the sealed secret of a set-up that has begun belongs to. */
const contextOf = ({ session }: Visit): string => `totp of ${session.id}`;

const setUpPage = (visit: Visit, token: string, secret: string, message: string | null): Answer =>
  page(
    visit.t.meSecondSetUp,
    setUpView(visit, { token, secret, uri: secretLink(secret, visit.user.id), message }),
    message === null ? 200 : 422,
  );

const setUp = ownAction('/second-factor', async (visit) => {
  const { user, services, t } = visit;
  if (user.body.totp !== null) return redirect(ME, t.meSecondIsOn);
  const message = await refusedProof(visit);
  if (message !== null) return accountPage(visit, { at: 'second', message });
  const secret = newSecret();
  const sealed = services.keyring.seal(secret, contextOf(visit));
  const token = await beginChallenge(depsOf(visit), 'totp', user.id, { sealed });
  return setUpPage(visit, token, secret, null);
});

const confirm = ownAction('/second-factor/confirm', async (visit) => {
  const { user, form, services, t } = visit;
  const token = fieldOf(form, 'token');
  const begun = await findChallenge(depsOf(visit), 'totp', token);
  if (begun?.user !== user.id) return accountPage(visit, { at: 'second', message: t.meSecondTooLate });
  const secret = services.keyring.open(begun.body.data['sealed'] ?? '', contextOf(visit));
  const attempt = { secret, code: fieldOf(form, 'code'), at: realTime(), epoch: epochOf(user.body) };
  const codes = await enableSecondFactor(depsOf(visit), user.id, attempt);
  if (!codes) return setUpPage(visit, token, secret, t.secondRefused);
  await takeChallenge(depsOf(visit), 'totp', token);
  // Whoever signed in elsewhere did so without it.
  await endSessions(depsOf(visit), user.id, visit.session.id);
  await note(visit, 'two-factor authentication on');
  return page(t.meRecovery, recoveryView(visit, codes, t.meSecondOnDone));
});

const renew = ownAction('/second-factor/recovery', async (visit) => {
  const message = await refusedProof(visit);
  if (message !== null) return accountPage(visit, { at: 'second', message });
  const codes = await renewRecovery(depsOf(visit), visit.user.id);
  if (!codes) return redirect(ME);
  await note(visit, 'new recovery codes');
  return page(visit.t.meRecovery, recoveryView(visit, codes));
});

const off = ownAction('/second-factor/off', async (visit) => {
  const message = await refusedProof(visit);
  if (message !== null) return accountPage(visit, { at: 'second', message });
  await removeSecondFactor(depsOf(visit), visit.user.id);
  await note(visit, 'two-factor authentication off');
  return redirect(ME, visit.t.meSecondOffDone);
});

export const SECOND_FACTOR_SCREENS: readonly Screen[] = [setUp, confirm, renew, off];
