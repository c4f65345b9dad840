import { endSession, endSessions, sessionsOf, type Session } from '../../operations/people/sessions';
import { html, NOTHING, type Html } from '../kit/html';
import { button, table, tag, time } from '../kit/components';
import { fieldOf, redirect, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { agentName } from './agent-name';
import { depsOf, ME, note, ownAction } from './own-account';

const end = ownAction('/sessions/end', async (visit) => {
  const { t, user, form } = visit;
  const ended = await endSession(depsOf(visit), user.id, fieldOf(form, 'id'));
  if (ended) await note(visit, 'session ended');
  return redirect(ME, t.meSessionEnded);
});

const endOthers = ownAction('/sessions/end-others', async (visit) => {
  const { t, user, session } = visit;
  const count = await endSessions(depsOf(visit), user.id, session.id);
  await note(visit, 'other sessions ended');
  return redirect(ME, filled(t.meSessionsEnded, { count }));
});

export const SESSION_SCREENS: readonly Screen[] = [end, endOthers];

/** Where the person is signed in, the last used first. */
export async function sessionsView(visit: Visit): Promise<Html> {
  const { t, user, session, csrf } = visit;
  const all = (await sessionsOf(depsOf(visit), user.id)).sort((a, b) => b.body.seenAt - a.body.seenAt);
  const by = { password: t.meByPassword, link: t.meByLink, passkey: t.meByPasskey, oidc: t.meByOidc };
  const isThis = ({ id }: Session): boolean => id === session.id;
  return html`<h2>${t.meSessions}</h2>
    <p class="soft">${t.meSessionsNote}</p>
    ${table(
      t.meSessions,
      all,
      [
        {
          title: t.meSessionBrowser,
          cell: (one) =>
            html`<span title="${one.body.agent}">${agentName(one.body.agent) ?? t.meUnknownBrowser}</span>
              ${isThis(one) ? tag(t.meThisSession, 'good') : NOTHING}<br /><small class="soft">${by[one.body.by]}</small>`,
        },
        { title: t.meSessionAddress, cell: ({ body }) => body.address },
        { title: t.meSessionBegan, cell: ({ body }) => time(t, body.createdAt), is: 'time' },
        { title: t.meSessionUsed, cell: ({ body }) => time(t, body.seenAt), is: 'time' },
        {
          title: t.actions,
          cell: (one) =>
            isThis(one)
              ? NOTHING
              : button(csrf, {
                  to: `${ME}/sessions/end`,
                  label: t.meSessionEnd,
                  fields: { id: one.id },
                  kind: 'danger',
                }),
        },
      ],
      '',
    )}
    ${
      all.length > 1
        ? html`<div class="acts">
            ${button(csrf, { to: `${ME}/sessions/end-others`, label: t.meSessionsEnd, kind: 'danger' })}
          </div>`
        : NOTHING
    }`;
}
