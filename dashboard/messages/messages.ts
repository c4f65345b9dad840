import { LISTED_FACTS } from '../../domain/messages/message';
import { readUuid } from '../../schemas/rules/ids';
import { DOMAIN } from '../../operations/domains/domain';
import { MESSAGE } from '../../operations/messages/message';
import { filtersOf } from '../kit/filters';
import { mailPolicy } from '../kit/guard';
import { ownOf, workspaceOf } from '../kit/workspace-scope';
import { action, fieldOf, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { timeline } from './timeline';
import { listView, messageView, sourceView, textDocument } from './views';

/** Messages of a page. */
const LIMIT = 50;
/** What may lie in the address of the list. */
const FILTERS = [
  ...(['to', 'subject', 'status', 'engagement', ...LISTED_FACTS, 'domain', 'campaign', 'metadata'] as const),
  ...(['since', 'until', 'page', 'after'] as const),
] as const;

const list = screen('/messages', 'viewer', async (visit) => {
  const { t, base, query } = visit;
  const to = query['to']?.trim() ?? '';
  const id = readUuid(to);
  if (id !== null) return redirect(`${base}/messages/${id}`);
  const filters = filtersOf(query, FILTERS);
  const workspace = workspaceOf(visit);
  const { data } = await visit.read(DOMAIN.list, { workspace });
  const domains = data.map(({ domain }) => domain);
  const done = await visit.perform(MESSAGE.list, { workspace, limit: LIMIT, ...filters });
  if (!done.ok) return page(t.messagesTitle, listView(visit, domains, null, done.fault.message), 422);
  return page(t.messagesTitle, listView(visit, domains, done.json, null));
});

const mailOf = async (visit: Visit) => ownOf(visit, await visit.read(MESSAGE.mail, { id: visit.id }));
const messageOf = async (visit: Visit) => ownOf(visit, await visit.read(MESSAGE.show, { id: visit.id }));

const show = screen('/messages/:id', 'viewer', async (visit) => {
  const of = await messageOf(visit);
  if (visit.isPart) return { kind: 'part', main: timeline(visit, `${visit.base}/messages/${of.message_id}`, of) };
  return page(of.subject, messageView(visit, of));
});

/** The form carries a reference of its own, so that pressing twice sends once. */
const sendAgain = action('/messages/:id/send-again', 'developer', async (visit): Promise<Answer> => {
  const { t, base, form } = visit;
  const of = await messageOf(visit);
  const reference = fieldOf(form, 'reference');
  const done = await visit.perform(MESSAGE.sendAgain, {
    id: of.message_id,
    ...(reference && { reference }),
    ...(fieldOf(form, 'without') && { without_attachments: true }),
  });
  if (!done.ok) return page(of.subject, messageView(visit, of, done.fault.message), 422);
  return redirect(`${base}/messages/${done.json.message_id}`, filled(t.messagesAgainDone, { id: of.message_id }));
});

/** The document in the frame. */
const mail = screen('/messages/:id/mail', 'viewer', async (visit) => {
  const of = await mailOf(visit);
  return {
    kind: 'file',
    type: 'html',
    body: of.html ?? textDocument(of).text,
    policy: mailPolicy(visit.services.publicUrl()),
  };
});

const source = screen('/messages/:id/source', 'viewer', async (visit) =>
  page(visit.t.messagesSource, sourceView(visit, await mailOf(visit))),
);

const eml = screen('/messages/:id/eml', 'viewer', async (visit) => ({
  kind: 'file',
  type: 'message/rfc822',
  body: (await mailOf(visit)).source,
  name: `${visit.id}.eml`,
}));

export const MESSAGES: readonly Screen[] = [list, show, sendAgain, mail, source, eml];
