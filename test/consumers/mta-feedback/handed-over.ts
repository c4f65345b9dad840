import { toChange } from '../../../consumers/outcome-change';
import { passFence, sent } from '../../../domain/messages/lifecycle';
import type { Message } from '../../../domain/messages/message';
import { DAY } from '../../../lib/clock';
import { acceptAndClaim } from '../../contract/claiming';
import type { Subject } from '../../contract/harness';
import type { Sender } from '../../support/builders';

const TOKEN = 'fence';

/** A claimed message whose mail may be out: its hand-off passed the fence. */
export async function passFenceOf({ stores, clock }: Subject, message: Message): Promise<Message> {
  const { applied, message: after } = await stores.messages.change(message.id, (current) => {
    const outcome = passFence(current, message.attempt, TOKEN, clock.now());
    return outcome && toChange(current, outcome);
  });
  if (!applied || !after) throw new Error('the fence was not passed');
  return after;
}

/** A message of the sender that the sending server has taken. */
export async function handOver(subject: Subject, sender: Sender): Promise<Message> {
  const fenced = await passFenceOf(subject, await acceptAndClaim(subject, sender));
  const handOff = { attempt: fenced.attempt, fence: TOKEN };
  const { message } = await subject.stores.messages.change(fenced.id, (current) => {
    const outcome = sent(current, handOff, '250 ok', subject.clock.now(), 4 * DAY);
    return outcome && toChange(current, outcome);
  });
  if (message?.status !== 'sent_to_mta') throw new Error('the message was not handed over');
  return message;
}
