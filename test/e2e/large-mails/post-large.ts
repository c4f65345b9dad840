import { request } from 'node:http';
import { sleep } from '../../../lib/sleep';
import { messageBody, type Sender } from '../../../proof/bench/message-request';

/** What a burst of requests was answered. */
export interface PostCount {
  accepted: number;
  /** Answers 503; each request is sent again after its Retry-After. */
  busy: number;
}

interface Answer {
  status: number;
  /** Seconds. */
  retryAfter: number;
}

/** Posts `count` messages with this attachment (base64), `atOnce` at a time, until each is accepted. */
export async function postLarge(
  target: { port: number; sender: Sender },
  content: string,
  { count, atOnce }: { count: number; atOnce: number },
): Promise<PostCount> {
  const counted: PostCount = { accepted: 0, busy: 0 };
  let left = count;
  const client = async (): Promise<void> => {
    while (left-- > 0) await postUntilAccepted(target, content, counted);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, client));
  return counted;
}

async function postUntilAccepted(
  { port, sender }: { port: number; sender: Sender },
  content: string,
  counted: PostCount,
): Promise<void> {
  const fields = messageBody(sender).slice(0, -1);
  const body = Buffer.from(`${fields},"attachments":[{"filename":"report.pdf","content":"${content}"}]}`);
  for (;;) {
    const { status, retryAfter } = await post(port, sender.apiKey, body);
    if (status === 201) {
      counted.accepted += 1;
      return;
    }
    if (status !== 503) throw new Error(`A request was answered ${status}.`);
    counted.busy += 1;
    await sleep(retryAfter * 1_000);
  }
}

/** The answer may come before the whole body is sent; the connection then ends. */
function post(port: number, apiKey: string, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
    };
    const req = request({ port, host: '127.0.0.1', path: '/v1/messages', method: 'POST', headers, agent: false });
    let answered = false;
    req.on('error', (error) => {
      if (!answered) reject(error);
    });
    req.on('response', (res) => {
      answered = true;
      res.resume().on('error', () => undefined);
      resolve({ status: res.statusCode ?? 0, retryAfter: Number(res.headers['retry-after'] ?? 1) });
      if (res.statusCode !== 201) req.destroy();
    });
    req.end(body);
  });
}
