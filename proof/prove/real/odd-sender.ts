import { sleep } from '../../../lib/sleep';
import type { Random } from '../../world/random';
import type { Recorder } from '../../world/recorder';
import { ask } from '../../world/request';
import type { Account } from '../../world/template';

const ATTACHMENTS = [{ filename: 'nota.txt', content: 'bm90YQ==' }];
/** Between two sends at most, ms. */
const PAUSE = 2_000;

/** A caller that sends to what is no address, which costs a penalty, and mails with attachments. */
export async function sendOddly(
  accounts: readonly Account[],
  { random, recorder, port, over }: { random: Random; recorder: Recorder; port: number; over: AbortSignal },
): Promise<void> {
  for (let n = 0; !over.aborted; n++) {
    await sleep(random.between(0, PAUSE), over);
    const { workspaceId, apiKey: key, domainId } = random.pick(accounts);
    const isForced = random.chance(0.5);
    const to = isForced ? `bukan alamat ${n % 3}` : `delivered+odd${n}@pelanggan.test`;
    const act = recorder.begin('odd', 'send', {
      workspace: workspaceId,
      key: null,
      to,
      ...(isForced && { again: true }),
    });
    const mail = { to, subject: 'Halo', html: '<p>Halo</p>', sending_domain_id: domainId, attachments: ATTACHMENTS };
    const answer = await ask(port, '/v1/messages', { key, body: mail });
    if (answer?.status === 201)
      act.ok({ status: 201, message: String(answer.body.message_id), state: String(answer.body.status) });
    else if (answer && answer.status < 500) act.fail(answer.status, String(answer.body.message));
    else act.info(answer ? `answered ${answer.status}` : 'no answer');
  }
}
