import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { converse, type Conversation } from '../../smtp/relay/protocol/converse';
import { chunksOf, wireInputs } from './inputs';
import { mailsOf } from './reference';

export interface WireFuzzing {
  seed: number;
  inputs: number;
}

/** What was found, to see that the inputs reach what they should. */
export interface WireCounts {
  inputs: number;
  mails: number;
  /** Sessions that were ended by the relay. */
  closed: number;
}

/**
 * Plays random sessions with the protocol of the relay, in one piece and split. Each must hold: replies and mails are
 * the same for every split; the mails are those that the strict grammar finds, unless the session ended for its errors,
 * and then the first of them. Rejects with the smallest input that broke it.
 */
export async function fuzzWire({ seed, inputs: numRuns }: WireFuzzing): Promise<WireCounts> {
  const counts: WireCounts = { inputs: 0, mails: 0, closed: 0 };
  const property = fc.asyncProperty(wireInputs, async (input) => {
    const whole = await converse([input.text]);
    const split = await converse(chunksOf(input));
    const octets = await converse(input.text.length < 700 ? [...input.text] : chunksOf({ ...input, splits: [7, 1] }));
    for (const other of [split, octets]) hold(isDeepStrictEqual(outcome(other), outcome(whole)), 'the split mattered');
    const expected = mailsOf(input.text);
    const mails = whole.mails.map((mail) => ({ ...mail, recipients: [...mail.recipients] }));
    const isCut = whole.replies.includes('421 4.7.0');
    hold(
      isDeepStrictEqual(mails, isCut ? expected.slice(0, mails.length) : expected),
      'other mails than the grammar has',
    );
    counts.inputs += 1;
    counts.mails += mails.length;
    if (whole.state === 'closed') counts.closed += 1;
  });
  const details = await fc.check(property, { seed, numRuns });
  if (!details.failed) return counts;
  throw new Error(
    `seed ${seed}, input ${details.numRuns}: ${String(details.errorInstance)}\n${JSON.stringify(details.counterexample)}`,
  );
}

const outcome = ({ replies, mails, state }: Conversation) => ({ replies, mails, state });

function hold(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
}
