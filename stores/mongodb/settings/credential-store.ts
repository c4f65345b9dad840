import { KNOWN_FOR, KNOWN_NETWORKS } from '../../../domain/settings/login-limit';
import type { CredentialStore } from '../../ports/credential-store';
import { mapOne, mapAll } from '../database/reads';
import { compareAndSet } from '../database/writes';
import type { Mongo } from '../database/client';
import { documents, fromDocument, toDocument } from '../database/documents';
import { groupedReads } from '../transactions/grouped-reads';
import { guarded, orDuplicate } from '../transactions/guard';
import { takeIds } from '../database/ids';

type Keys = Pick<CredentialStore, 'createKey' | 'findKey' | 'listKeys' | 'revokeKey'>;
type Networks = Pick<CredentialStore, 'rememberNetwork' | 'networkSeenAt'>;
type Logins = Omit<CredentialStore, keyof Keys | keyof Networks>;

/** MongoDB driver of CredentialStore. */
export function credentialStore(mongo: Mongo): CredentialStore {
  return guarded<CredentialStore>({ ...keys(mongo), ...logins(mongo), ...networks(mongo) });
}

function keys(mongo: Mongo): Keys {
  const apiKeys = documents(mongo.db, 'apiKeys');
  const read = groupedReads(async (hashes: readonly string[]) => {
    const found = await apiKeys.find({ hash: { $in: [...hashes] } }).toArray();
    return new Map(found.map((key) => [key.hash, key]));
  });
  return {
    createKey: async (fields) => {
      const key = { ...fields, id: await takeIds(mongo, 'apiKeys') };
      await orDuplicate('This API key exists.', () => apiKeys.insertOne(toDocument(key)));
      return key;
    },
    findKey: (hash) => mapOne(read(hash), fromDocument),
    listKeys: (workspaceId) => mapAll(apiKeys.find({ workspaceId }).sort({ _id: 1 }), fromDocument),
    revokeKey: async (workspaceId, id, at) => {
      return compareAndSet(apiKeys, { _id: id, workspaceId, revokedAt: null }, { $set: { revokedAt: at } });
    },
  };
}

function logins(mongo: Mongo): Logins {
  const smtpLogins = documents(mongo.db, 'smtpLogins');
  return {
    createLogin: async (fields) => {
      const login = { ...fields, id: await takeIds(mongo, 'smtpLogins') };
      await orDuplicate(`The SMTP user ${login.username} exists.`, () => smtpLogins.insertOne(toDocument(login)));
      return login;
    },
    findLogin: (username) => mapOne(smtpLogins.findOne({ username }), fromDocument),
    setPassword: (username, { hash, sealed }) =>
      mapOne(
        smtpLogins.findOneAndUpdate({ username }, { $set: { hash, sealed } }, { returnDocument: 'after' }),
        fromDocument,
      ),
    listLogins: (workspaceId) => mapAll(smtpLogins.find({ workspaceId }).sort({ _id: 1 }), fromDocument),
  };
}

function networks(mongo: Mongo): Networks {
  const loginNetworks = documents(mongo.db, 'loginNetworks');
  return {
    rememberNetwork: async (username, network, at) => {
      const all = { $ifNull: ['$networks', []] };
      const same = { $filter: { input: all, cond: { $eq: ['$$this.network', network] } } };
      const latest = { $max: [at, { $max: { $map: { input: same, in: '$$this.at' } } }] };
      const young = { $and: [{ $ne: ['$$this.network', network] }, { $gt: ['$$this.at', at - KNOWN_FOR] }] };
      const others = { $filter: { input: all, cond: young } };
      const sorted = {
        $sortArray: { input: { $concatArrays: [[{ network, at: latest }], others] }, sortBy: { at: -1 } },
      };
      await loginNetworks.updateOne({ _id: username }, [{ $set: { networks: { $slice: [sorted, KNOWN_NETWORKS] } } }], {
        upsert: true,
      });
    },
    networkSeenAt: async (username, network) => {
      const found = await loginNetworks.findOne({ _id: username }, { projection: { networks: 1 } });
      return found?.networks.find((known) => known.network === network)?.at ?? null;
    },
  };
}
