import { JOURNEY } from '../../operations/journeys/journey';
import { fieldOf, action, page, redirect, screen, type Screen, type Visit } from '../kit/screen';
import { Refused } from '../kit/perform';
import { filled } from '../texts/texts';
import { contactsView, pathView, postsView } from './contacts-views';
import { chosen, shown } from './read';

const enrolled = (visit: Visit, more: { after?: string | null; contact?: string }) =>
  visit.read(JOURNEY.enrollments, { ...chosen(visit), ...more });

/** The address that is looked for leads to the path of its contact. */
const list = screen('/journeys/:id/contacts', 'viewer', async (visit) => {
  const { t, query } = visit;
  const journey = await shown(visit);
  const email = query['email']?.trim() ?? '';
  if (email === '') {
    const listed = await enrolled(visit, { after: query['after'] ?? null });
    return page(t.journeysContacts, contactsView(visit, journey, listed, null));
  }
  const done = await visit.perform(JOURNEY.enrollments, { ...chosen(visit), contact: email });
  const [found] = done.ok ? done.json.data : [];
  if (found) return redirect(`${visit.base}/journeys/${journey.id}/contacts/${found.contact_id}`);
  const why = done.ok ? t.journeysNotIn : done.fault.message;
  return page(t.journeysContacts, contactsView(visit, journey, { data: [], next_after: null }, why), 422);
});

const show = screen('/journeys/:id/contacts/:contact', 'viewer', async (visit) => {
  const journey = await shown(visit);
  const [one] = (await enrolled(visit, { contact: visit.params['contact'] ?? '' })).data;
  if (!one) throw new Refused({ status: 404, message: visit.t.journeysNotIn, field: null });
  return page(filled(visit.t.journeysPath, { email: one.email ?? '' }), pathView(visit, journey, one));
});

const remove = action('/journeys/:id/remove', 'editor', async (visit) => {
  const email = fieldOf(visit.form, 'email');
  await visit.read(JOURNEY.remove, { ...chosen(visit), email });
  const to = `${visit.base}/journeys/${visit.id}/contacts`;
  return redirect(to, filled(visit.t.journeysTakenOut, { email }));
});

const posts = screen('/journeys/:id/posts', 'viewer', async (visit) => {
  const journey = await shown(visit);
  const { data } = await visit.read(JOURNEY.posts, { ...chosen(visit), limit: 100 });
  return page(visit.t.journeysPosts, postsView(visit, journey, data));
});

/** The contacts of a journey, the path of each, and the calls of webhook steps. */
export const JOURNEY_CONTACTS: readonly Screen[] = [list, show, remove, posts];
