import { NEW_DOMAIN_MAIL } from '../../../domain/settings/sending-domain';
import type { DomainStore } from '../../ports/domain-store';
import { mapOne, mapAll } from '../database/reads';
import type { Mongo } from '../database/client';
import { documents, fromDocument, toDocument } from '../database/documents';
import { groupedReadsById } from '../transactions/grouped-reads';
import { guarded, orDuplicate } from '../transactions/guard';
import { takeIds } from '../database/ids';

/** MongoDB driver of DomainStore. */
export function domainStore(mongo: Mongo): DomainStore {
  const domains = documents(mongo.db, 'domains');
  const read = groupedReadsById(domains);
  return guarded<DomainStore>({
    create: async (fields) => {
      const domain = { ...NEW_DOMAIN_MAIL, ...fields, id: await takeIds(mongo, 'domains') };
      await orDuplicate(`The domain ${domain.domain} exists.`, () => domains.insertOne(toDocument(domain)));
      return domain;
    },
    get: (id) => mapOne(read(id), fromDocument),
    findByName: (domain) => mapOne(domains.findOne({ domain }), fromDocument),
    list: (workspaceId) => mapAll(domains.find({ workspaceId }).sort({ domain: 1 }), fromDocument),
    setStatus: (id, status) =>
      mapOne(domains.findOneAndUpdate({ _id: id }, { $set: { status } }, { returnDocument: 'after' }), fromDocument),
    setMail: (id, { category, trackClicks }) =>
      mapOne(
        domains.findOneAndUpdate({ _id: id }, { $set: { category, trackClicks } }, { returnDocument: 'after' }),
        fromDocument,
      ),
  });
}
