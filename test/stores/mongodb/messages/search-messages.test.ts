import { it } from '@jest/globals';
import { searchMessages } from '../../../../stores/mongodb/messages/search-messages';
import { describeOn } from '../../../support/real-services';
import { exerciseSearch } from '../../exercise-search';
import { FlakyLog, ownDatabase } from '../support';

describeOn(['mongodb'], 'a search in a database', ({ mongodb }) => {
  const database = ownDatabase(mongodb);

  it('finds the same in steps of any size', async () => {
    const { stores, mongo } = await database.instance(new FlakyLog());
    await exerciseSearch(stores, (...search) => searchMessages(mongo, ...search));
  });
});
