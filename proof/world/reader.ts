import { bodyOf } from './mail-body';
import type { Outside } from './actors';
import { ask } from './request';

const CLICK = /https?:\/\/[^/\s"]+(\/t\/c\/[^\s"<>]+\/\d+)(?=["\s<>])/g;
const PIXEL = /https?:\/\/[^/\s"]+(\/t\/o\/[^\s"<>]+)/;

/** The paths behind the links of a mail, in order, and of its pixel. */
export function linksOf(body: string): { clicks: string[]; pixel: string | undefined } {
  const plain = body.replaceAll('&amp;', '&');
  return { clicks: [...plain.matchAll(CLICK)].map(([, path]) => path ?? ''), pixel: PIXEL.exec(plain)?.[1] };
}

/** People who read mail, click and buy. */
export class Reader {
  private readonly clicked: { message: string; to: string }[] = [];
  private readonly orders: { order: string; amount: number; message: string; to: string }[] = [];

  constructor(private readonly outside: Outside) {}

  /** Opens a mail, or follows one of its links. */
  async visit(name: string): Promise<void> {
    const { random, recorder, server, failures } = this.outside;
    if (server.mails.length === 0) return;
    const { message, to, source } = random.pick(server.mails);
    const { clicks, pixel } = linksOf(bodyOf(source));
    const link = random.below(clicks.length + 1);
    const path = clicks[link] ?? pixel;
    // A mail that asks to confirm is not tracked.
    if (path === undefined) return;
    const isClick = link < clicks.length;
    const act = isClick ? recorder.begin(name, 'click', { message, link }) : recorder.begin(name, 'open', { message });
    const before = failures();
    const answer = await ask(this.outside.ports.http, path, {});
    // A reader arrives also when the log does not take the visit.
    if (answer && answer.status < 400 && failures() === before) act.ok({ status: answer.status });
    else act.info(answer ? `answered ${answer.status}` : 'no answer');
    if (isClick) this.clicked.push({ message, to });
  }

  /** Buys something after a click, and the shop reports it; it reports some sales again. */
  async buy(name: string): Promise<void> {
    const { random, owners } = this.outside;
    const isAgain = this.orders.length > 0 && random.chance(0.3);
    if (!isAgain && this.clicked.length === 0) return;
    const sale = isAgain ? random.pick(this.orders) : this.newOrder();
    const account = owners.get(sale.to);
    if (!account) return;
    const { order, amount, message } = sale;
    await this.outside.insist('sale', {
      name,
      value: { workspace: account.workspaceId, order, amount, message },
      path: '/v1/conversions',
      asked: { key: account.apiKey, body: { amount, message_id: message, order_id: order } },
      said: ({ status, body }) => ({ status, duplicate: body.duplicate === true }),
    });
  }

  private newOrder(): { order: string; amount: number; message: string; to: string } {
    const { random } = this.outside;
    const order = `INV-${this.outside.number()}`;
    const sale = { order, amount: 1_000 * (1 + random.below(500)), ...random.pick(this.clicked) };
    this.orders.push(sale);
    return sale;
  }
}
