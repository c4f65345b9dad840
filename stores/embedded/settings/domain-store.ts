import { NEW_DKIM } from '../../../domain/settings/dkim-rotation';
import { NEW_DOMAIN_MAIL, type SendingDomain } from '../../../domain/settings/sending-domain';
import type { DomainStore } from '../../ports/domain-store';
import { ColumnList, columns, flagColumn, jsonColumn } from '../database/columns';
import type { Database } from '../database/database';
import { orDuplicate } from '../database/duplicates';
import type { ReadCache } from '../database/read-cache';

const DOMAIN = new ColumnList<SendingDomain>('domains', {
  ...columns('id', 'workspaceId', 'domain', 'status', 'dkimSelector', 'dkimKeySealed', 'createdAt', 'category'),
  trackClicks: flagColumn('track_clicks'),
  dkimPending: jsonColumn('dkim_pending'),
  dkimRetired: jsonColumn('dkim_retired'),
});
const NEW = DOMAIN.without('id');
const MAIL = DOMAIN.only(['category', 'trackClicks']);
const DKIM = DOMAIN.only(['dkimSelector', 'dkimKeySealed', 'dkimPending', 'dkimRetired']);
const SEEN = "id = ? AND dkim_selector = ? AND dkim_pending ->> 'selector' IS ?";

/** Reads one sending domain, inside or outside a transaction. */
export const readDomain = (db: Database, id: number): SendingDomain | null => DOMAIN.get(db, 'WHERE id = ?', id);

/** Embedded driver of DomainStore. */
export function domainStore(db: Database, cache: ReadCache): DomainStore {
  return {
    create: (given) =>
      cache.write(() => {
        const domain = { ...NEW_DOMAIN_MAIL, ...NEW_DKIM, ...given };
        const id = orDuplicate(`The domain ${domain.domain} exists.`, () => NEW.insert(db, domain));
        return { ...domain, id };
      }),
    get: async (id) => cache.get(`domain ${id}`, () => readDomain(db, id)),
    findByName: async (name) => cache.get(`domain name ${name}`, () => DOMAIN.get(db, 'WHERE domain = ?', name)),
    list: async (workspaceId) => DOMAIN.all(db, 'WHERE workspace_id = ? ORDER BY domain', workspaceId),
    page: async (after, limit) => DOMAIN.all(db, 'WHERE id > ? ORDER BY id LIMIT ?', after, limit),
    setStatus: (id, status) =>
      cache.write(() => {
        db.run('UPDATE domains SET status = ? WHERE id = ?', status, id);
        return readDomain(db, id);
      }),
    setMail: (id, mail) =>
      cache.write(() => {
        db.run(`UPDATE domains SET ${MAIL.assignments} WHERE id = ?`, ...MAIL.bind(mail), id);
        return readDomain(db, id);
      }),
    setDkim: ({ id, dkimSelector, dkimPending }, keys) =>
      cache.write(() => {
        const seen = [id, dkimSelector, dkimPending?.selector ?? null];
        const done = db.run(`UPDATE domains SET ${DKIM.assignments} WHERE ${SEEN}`, ...DKIM.bind(keys), ...seen);
        return done > 0 ? readDomain(db, id) : null;
      }),
  };
}
