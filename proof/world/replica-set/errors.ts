import { MongoNetworkError, MongoServerError } from 'mongodb';
import type { Transaction } from './table';

/** A write that has to wait for a transaction, since it is in none itself. It never leaves the model. */
export class Held extends Error {
  constructor(readonly holder: Transaction) {
    super('held by a transaction');
  }
}

/** What of an error a caller looks at. */
interface Refusal {
  code: number;
  codeName: string;
  errmsg: string;
  errorLabels?: string[];
}

const refusal = (what: Refusal): MongoServerError => new MongoServerError({ ok: 0, ...what });

/** Another transaction has written what this one wants to write. */
export const writeConflict = (): MongoServerError =>
  refusal({
    code: 112,
    codeName: 'WriteConflict',
    errmsg: 'Write conflict during the execution of a plan',
    errorLabels: ['TransientTransactionError'],
  });

/** A unique key is taken. */
export const duplicateKey = (collection: string, index: string): MongoServerError =>
  refusal({ code: 11_000, codeName: 'DuplicateKey', errmsg: `E11000 duplicate key error: ${collection} ${index}` });

/** The transaction was ended by an election, or by somebody else. */
export const noSuchTransaction = (): MongoServerError =>
  refusal({
    code: 251,
    codeName: 'NoSuchTransaction',
    errmsg: 'The transaction is not there any more',
    errorLabels: ['TransientTransactionError'],
  });

/** A single write waited for another one until its time was over; it was not done. */
export const outOfTime = (): MongoServerError =>
  refusal({ code: 50, codeName: 'MaxTimeMSExpired', errmsg: 'operation exceeded time limit' });

/** The call itself is wrong, as with the hint of an index that is not there. */
export const badValue = (errmsg: string): MongoServerError => refusal({ code: 2, codeName: 'BadValue', errmsg });

/** The connection broke: nobody knows whether the server did it. */
export const connectionLost = (): MongoNetworkError => new MongoNetworkError('connection closed');
