import { NEW_DOMAIN_MAIL } from '../../../domain/settings/sending-domain';
import type { DomainStore } from '../../ports/domain-store';
import type { Mongo } from '../database/client';
import { documents, fromDocument, toDocument } from '../database/documents';
import { byId, groupedReads } from '../transactions/grouped-reads';
import { guarded, orDuplicate } from '../transactions/guard';
import { takeIds } from '../database/ids';

/** MongoDB driver of DomainStore. */
export function domainStore(mongo: Mongo): DomainStore {
  const domains = documents(mongo.db, 'domains');
  const read = groupedReads(async (ids: readonly number[]) =>
    byId(await domains.find({ _id: { $in: [...ids] } }).toArray()),
  );
  return guarded<DomainStore>({
    create: async (fields) => {
      const domain = { ...NEW_DOMAIN_MAIL, ...fields, id: await takeIds(mongo, 'domains') };
      await orDuplicate(`The domain ${domain.domain} exists.`, () => domains.insertOne(toDocument(domain)));
      return domain;
    },
    get: async (id) => {
      const found = await read(id);
      return found && fromDocument(found);
    },
    findByName: async (domain) => {
      const found = await domains.findOne({ domain });
      return found && fromDocument(found);
    },
    list: async (workspaceId) => (await domains.find({ workspaceId }).sort({ domain: 1 }).toArray()).map(fromDocument),
    setStatus: async (id, status) => {
      const changed = await domains.findOneAndUpdate({ _id: id }, { $set: { status } }, { returnDocument: 'after' });
      return changed && fromDocument(changed);
    },
    setMail: async (id, { category, trackClicks }) => {
      const changed = await domains.findOneAndUpdate(
        { _id: id },
        { $set: { category, trackClicks } },
        { returnDocument: 'after' },
      );
      return changed && fromDocument(changed);
    },
  });
}
