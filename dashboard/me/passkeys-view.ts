import { passkeysOf, relyingPartyOf, type RelyingParty } from '../../operations/people/passkeys';
import { html, type Html } from '../kit/html';
import { button, fault, table, time } from '../kit/components';
import type { Visit } from '../kit/screen';
import { depsOf, ME } from './own-account';
import { proofForm } from './proof-form';

/** For which site passkeys are; null where there are none. */
export const rpOf = ({ services }: Visit): RelyingParty | null => relyingPartyOf(services.dashboardUrl());

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
        { title: t.passkeyMade, cell: ({ body }) => time(t, body.createdAt), is: 'time' },
        { title: t.meSessionUsed, cell: ({ body }) => time(t, body.lastUsedAt), is: 'time' },
        {
          title: t.actions,
          cell: ({ id }) =>
            button(csrf, {
              to: `${ME}/passkeys/remove`,
              label: t.passkeyRemove,
              confirm: t.passkeyRemoveSure,
              fields: { id },
              kind: 'danger',
            }),
        },
      ],
      t.passkeysNone,
    )}
    ${proofForm(visit, { id: 'passkey', acts: [{ to: `${ME}/passkeys`, label: t.passkeyBegin }] })}`;
}
