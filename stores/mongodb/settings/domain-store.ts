import { NEW_DKIM } from '../../../domain/settings/dkim-rotation';
import { NEW_DOMAIN_MAIL, type SendingDomain } from '../../../domain/settings/sending-domain';
import type { DomainStore } from '../../ports/domain-store';
import { mapOne, mapAll } from '../database/reads';
import type { Mongo } from '../database/client';
import { documents, fromDocument, toDocument, type Documents } from '../database/documents';
import { groupedReadsById } from '../transactions/grouped-reads';
import { guarded, orDuplicate } from '../transactions/guard';
import { takeIds } from '../database/ids';

const toDomain = (found: Documents['domains']): SendingDomain => fromDocument({ ...NEW_DKIM, ...found });

/** MongoDB driver of DomainStore. */
export function domainStore(mongo: Mongo): DomainStore {
  const domains = documents(mongo.db, 'domains');
  const read = groupedReadsById(domains);
  return guarded<DomainStore>({
    create: async (fields) => {
      const domain = { ...NEW_DOMAIN_MAIL, ...NEW_DKIM, ...fields, id: await takeIds(mongo, 'domains') };
      await orDuplicate(`The domain ${domain.domain} exists.`, () => domains.insertOne(toDocument(domain)));
      return domain;
    },
    get: (id) => mapOne(read(id), toDomain),
    findByName: (domain) => mapOne(domains.findOne({ domain }), toDomain),
    list: (workspaceId) => mapAll(domains.find({ workspaceId }).sort({ domain: 1 }), toDomain),
    page: (after, limit) =>
      mapAll(
        domains
          .find({ _id: { $gt: after } })
          .sort({ _id: 1 })
          .limit(limit),
        toDomain,
      ),
    setStatus: (id, status) =>
      mapOne(domains.findOneAndUpdate({ _id: id }, { $set: { status } }, { returnDocument: 'after' }), toDomain),
    setMail: (id, { category, trackClicks }) =>
      mapOne(
        domains.findOneAndUpdate({ _id: id }, { $set: { category, trackClicks } }, { returnDocument: 'after' }),
        toDomain,
      ),
    setDkim: ({ id, dkimSelector, dkimPending }, keys) => {
      const pending = dkimPending === null ? { dkimPending: null } : { 'dkimPending.selector': dkimPending.selector };
      const seen = { _id: id, dkimSelector, ...pending };
      return mapOne(domains.findOneAndUpdate(seen, { $set: keys }, { returnDocument: 'after' }), toDomain);
    },
  });
}
