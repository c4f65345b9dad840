import { describe, expect, it } from '@jest/globals';
import {
  MongoBulkWriteError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  type BulkWriteResult,
  type MongoError,
} from 'mongodb';
import { guarded } from '../../../../stores/mongodb/transactions/guard';
import { UnavailableError } from '../../../../lib/errors';

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
