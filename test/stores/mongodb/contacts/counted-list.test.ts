import { expect, it } from '@jest/globals';
import { foldContacts } from '../../../../stores/mongodb/contacts/counted-list';
import { documents } from '../../../../stores/mongodb/database/documents';
import { at, atOnce, eventually } from '../../../contract/helpers';
import { aContact, aWorkspace } from '../../../support/builders';
import { describeOn } from '../../../support/real-services';
import { FlakyLog, ownDatabase } from '../support';

describeOn(['mongodb'], 'the counters of contacts', ({ mongodb }) => {
  const database = ownDatabase(mongodb);
  const log = new FlakyLog();
  const contacts = () => documents(database.mongo.db, 'contacts');
  const uncounted = (): Promise<number> => contacts().countDocuments({ counted: { $ne: true } });
  const blocks = async (owner: number): Promise<number> => {
    const found = await documents(database.mongo.db, 'listBlocks').find({ list: 'contacts', owner }).toArray();
    return found.reduce((sum, { n }) => sum + n, 0);
  };

  it('take in each contact once, of several sweepers at once, also one that is deleted at the time', async () => {
    const instances = await atOnce(3, () => database.instance(log));
    const { stores } = at(instances, 0);
    const { id } = await stores.workspaces.create(aWorkspace());
    const made = await atOnce(120, () => stores.contacts.ensure(aContact(id)));
    await Promise.all([
      ...instances.flatMap(({ mongo }) => [foldContacts(mongo, 50), foldContacts(mongo, 50)]),
      atOnce(20, (n) => stores.contacts.delete(id, at(made, n * 3).id)),
    ]);
    at(instances, 1).sweeper.start();
    await eventually(async () => expect(await uncounted()).toBe(0));
    expect(await blocks(id)).toBe(100);
    expect((await stores.contacts.list(id, { offset: 0, limit: 1 })).total).toBe(100);
  });

  it('make the list neither longer nor shorter when they take a contact in', async () => {
    const { stores, mongo } = await database.instance(log);
    const { id } = await stores.workspaces.create(aWorkspace());
    await atOnce(10, () => stores.contacts.ensure(aContact(id)));
    const list = () => stores.contacts.list(id, { offset: 4, limit: 3 });
    const before = await list();
    expect([before.total, await blocks(id)]).toEqual([10, 0]);
    expect(await foldContacts(mongo, 7)).toBe(7);
    expect(await list()).toEqual(before);
    expect(await foldContacts(mongo)).toBe(3);
    expect(await foldContacts(mongo)).toBe(0);
    expect(await list()).toEqual(before);
    expect(await blocks(id)).toBe(10);
  });
});
