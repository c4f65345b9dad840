import type { Acts, Recipient, Traveller } from '../judge/history';
import { progressOf } from './marketer';
import type { Outside } from './actors';
import { ask, type Answer } from './request';
import type { Account } from './template';

type Export = Acts['export'][1];
type Row = Record<string, string | number | null>;

/** A row of `kurir coins ledger --json`. */
interface LedgerRow {
  id: string;
  kind: string;
  coins: number;
  message_id: string | null;
}

/** Reads all that the API tells, once all is idle. Throws if something has no answer. */
export async function readAll(outside: Outside): Promise<void> {
  for (const account of outside.template.accounts) {
    const { workspaceId: workspace } = account;
    const act = outside.recorder.begin('caller', 'final', { workspace });
    const coins = await coinsOf(outside, account);
    if (coins === null) throw new Error('GET /account has no answer in the end.');
    act.ok({ coins, messages: await messagesOf(outside, account), ledger: await ledgerOf(outside, account) });
    const more = outside.recorder.begin('caller', 'export', { workspace });
    more.ok(await exportAll(outside, account));
  }
}

/** What GET /account says; null if it has no answer. */
export async function coinsOf({ ports }: Outside, { apiKey }: Account): Promise<number | null> {
  const answer = await ask(ports.http, '/v1/account', { key: apiKey });
  return answer?.status === 200 ? (answer.body.email as { coins: number }).coins : null;
}

async function messagesOf(outside: Outside, account: Account) {
  const rows = await pages(outside, '/v1/messages', account);
  return rows.map(({ message_id: message, to, status, failed_reason: reason }) => ({
    message: String(message),
    to: String(to ?? ''),
    state: String(status),
    reason: reason as string | null,
  }));
}

async function ledgerOf(outside: Outside, { workspaceId }: Account) {
  const all: { id: string; kind: string; amount: number; message: string | null }[] = [];
  for (let before: number | null = null; ;) {
    const input = { workspace: String(workspaceId), limit: 500, ...(before !== null && { before }) };
    const body = await outside.told('coins.ledger', input);
    const { data, next_before: next } = body as unknown as { data: LedgerRow[]; next_before: number | null };
    for (const { id, kind, coins, message_id: message } of data) all.push({ id, kind, amount: coins, message });
    if (next === null) return all.reverse();
    before = next;
  }
}

async function exportAll(outside: Outside, account: Account): Promise<Export> {
  const { workspaceId, campaigns, journeys, list, double } = account;
  const workspace = String(workspaceId);
  return {
    campaigns: await inTurn(campaigns, async (campaign) => {
      const answer = await whole(outside, `/v1/campaigns/${campaign}`, account);
      const rows = await outside.rows<Row>('campaign.recipients', { workspace, campaign: String(campaign) });
      return { campaign, ...progressOf(answer), recipients: rows.map(recipientOf) };
    }),
    journeys: await inTurn(journeys, async ({ journey }) => {
      const given = { workspace, journey: String(journey) };
      const rows = await outside.rows<Row & { steps: Row[] }>('journey.enrollments', given);
      return { journey, contacts: rows.map(travellerOf) };
    }),
    audiences: await inTurn([list, double.id], async (audience) => {
      const rows = await pages(outside, `/v1/audiences/${audience}/contacts`, account);
      const members = rows.map(({ email, membership }) => ({
        to: String(email),
        confirmed: membership === 'confirmed',
      }));
      return { audience, members };
    }),
    sales: (await pages(outside, '/v1/conversions', account)).map(
      ({ order_id: order, amount, message_id: message }) => ({
        order: String(order),
        amount: Number(amount),
        message: String(message),
      }),
    ),
  };
}

const recipientOf = ({ email, status, reason, message_id: message }: Row): Recipient => ({
  to: String(email),
  state: String(status),
  reason: reason as string | null,
  message: message as string | null,
});

const travellerOf = ({ email, status, reason, steps }: Row & { steps: Row[] }): Traveller => ({
  to: String(email ?? ''),
  state: String(status),
  reason: reason as string | null,
  steps: steps.map(({ step, type, at, message_id: message }) => ({
    step: Number(step),
    type: String(type),
    at: Date.parse(String(at)),
    message: message as string | null,
  })),
});

async function inTurn<T, R>(list: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const all: R[] = [];
  for (const item of list) all.push(await read(item));
  return all;
}

/** Reads that are tried again: a process that starts or a busy machine may not answer in time. */
const TRIES = 5;

async function whole({ ports }: Outside, path: string, { apiKey }: Account): Promise<Answer> {
  let status: number | undefined;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await ask(ports.http, path, { key: apiKey });
    if (answer?.status === 200) return answer;
    status = answer?.status;
  }
  throw new Error(`GET ${path} answered ${status} in the end.`);
}

/** Every item of a list that comes in pages. */
async function pages(outside: Outside, path: string, account: Account): Promise<Row[]> {
  const all: Row[] = [];
  for (let page = 1; ; page++) {
    const { body } = await whole(outside, `${path}?page=${page}`, account);
    const { data, last_page: last } = body as { data: Row[]; last_page?: number };
    all.push(...data);
    if (page >= (last ?? 1) || data.length === 0) return all;
  }
}
