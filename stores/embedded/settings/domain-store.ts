import {
  NEW_DOMAIN_MAIL,
  type DomainCategory,
  type DomainStatus,
  type SendingDomain,
} from '../../../domain/settings/sending-domain';
import type { DomainStore } from '../../ports/domain-store';
import type { Database } from '../database/database';
import { orDuplicate } from '../database/duplicates';
import type { ReadCache } from '../database/read-cache';

interface Row {
  id: number;
  workspace_id: number;
  domain: string;
  status: DomainStatus;
  dkim_selector: string;
  dkim_key_sealed: string;
  created_at: number;
  category: DomainCategory;
  track_clicks: 0 | 1;
}

const toDomain = (row: Row): SendingDomain => ({
  id: row.id,
  workspaceId: row.workspace_id,
  domain: row.domain,
  status: row.status,
  dkimSelector: row.dkim_selector,
  dkimKeySealed: row.dkim_key_sealed,
  createdAt: row.created_at,
  category: row.category,
  trackClicks: row.track_clicks === 1,
});

/** Reads one sending domain, inside or outside a transaction. */
export function readDomain(db: Database, id: number): SendingDomain | null {
  const row = db.get<Row>('SELECT * FROM domains WHERE id = ?', id);
  return row ? toDomain(row) : null;
}

/** Embedded driver of DomainStore. */
export function domainStore(db: Database, cache: ReadCache): DomainStore {
  return {
    create: (given) =>
      cache.write(() => {
        const domain = { ...NEW_DOMAIN_MAIL, ...given };
        const id = orDuplicate(`The domain ${domain.domain} exists.`, () =>
          db.insert(
            `INSERT INTO domains (workspace_id, domain, status, dkim_selector, dkim_key_sealed, created_at,
               category, track_clicks) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
            domain.workspaceId,
            domain.domain,
            domain.status,
            domain.dkimSelector,
            domain.dkimKeySealed,
            domain.createdAt,
            domain.category,
            Number(domain.trackClicks),
          ),
        );
        return { ...domain, id };
      }),
    get: async (id) => cache.get(`domain ${id}`, () => readDomain(db, id)),
    findByName: async (name) =>
      cache.get(`domain name ${name}`, () => {
        const row = db.get<Row>('SELECT * FROM domains WHERE domain = ?', name);
        return row ? toDomain(row) : null;
      }),
    list: async (workspaceId) =>
      db.all<Row>('SELECT * FROM domains WHERE workspace_id = ? ORDER BY domain', workspaceId).map(toDomain),
    setStatus: (id, status) =>
      cache.write(() => {
        db.run('UPDATE domains SET status = ? WHERE id = ?', status, id);
        return readDomain(db, id);
      }),
    setMail: (id, { category, trackClicks }) =>
      cache.write(() => {
        db.run('UPDATE domains SET category = ?, track_clicks = ? WHERE id = ?', category, Number(trackClicks), id);
        return readDomain(db, id);
      }),
  };
}
