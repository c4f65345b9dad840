import { describe, expect, it } from '@jest/globals';
import {
  MongoBulkWriteError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  type BulkWriteResult,
  type MongoError,
} from 'mongodb';
import { guarded } from '../../../../stores/mongodb/transactions/guard';
import { untilReachable } from '../../../../app/engines/until-reachable';
import { BusyError, UnavailableError } from '../../../../lib/errors';
import { openMongo } from '../../../../stores/mongodb/database/client';
import { settingsStore } from '../../../../stores/mongodb/settings/settings-store';
import { describeOn, uniqueName } from '../../../support/real-services';

describe('a guarded port', () => {
  const port = {
    answers: (n: number) => Promise.resolve(n + 1),
    neverAnswers: () => new Promise<number>(() => {}),
    answersLate: () => new Promise<number>((resolve) => setTimeout(() => resolve(7), 60)),
  };

  it('ends a call that the client lost', async () => {
    const { answers, neverAnswers } = guarded(port, 20);
    expect(await answers(1)).toBe(2);
    await expect(neverAnswers()).rejects.toBeInstanceOf(UnavailableError);
  });

  it('waits for as long as it takes where it is told to', async () => {
    expect(await guarded(port, null).answersLate()).toBe(7);
  });

  const ofBulkWrite = (error: MongoError): MongoBulkWriteError => new MongoBulkWriteError(error, {} as BulkWriteResult);

  it('takes a bulk write that lost its connection for "not now", and one with a wrong argument for a bug', async () => {
    const lost = ofBulkWrite(new MongoNetworkError('connection 8 to 127.0.0.1:27017 closed'));
    const wrong = ofBulkWrite(new MongoInvalidArgumentError('no documents'));
    await expect(guarded({ write: () => Promise.reject(lost) }).write()).rejects.toBeInstanceOf(UnavailableError);
    await expect(guarded({ write: () => Promise.reject(wrong) }).write()).rejects.toBe(wrong);
  });
});

describeOn(['mongodb'], 'a server under load', (urls) => {
  it('is busy, not away: the error says that no connection was free, and what to do', async () => {
    const url = `${urls.mongodb}${urls.mongodb.includes('?') ? '&' : '?'}maxPoolSize=1`;
    const mongo = await openMongo({ url, database: uniqueName(), timeoutMS: 1_000, answerMS: 20_000 });
    try {
      await mongo.db.collection<{ _id: string }>('slow').insertOne({ _id: 'one' });
      // Holds the only connection.
      const held = mongo.db.collection('slow').findOne({ $where: 'sleep(4000) || true' });
      const asked = untilReachable({ server: 'MongoDB at m.test', signal: null, onWait: () => undefined }, () =>
        settingsStore(mongo).get('switches'),
      );
      const error = (await asked.catch((reason: unknown) => reason)) as Error;
      expect(error.cause).toBeInstanceOf(BusyError);
      expect(error.cause).toBeInstanceOf(UnavailableError);
      expect(error.message).toMatch(/^MongoDB at m\.test is busy: .*no connection was free in time.*try again.*\.$/);
      expect(error.message).not.toContain('cannot be reached');
      await held;
    } finally {
      await mongo.db.dropDatabase();
      await mongo.close();
    }
  });
});
