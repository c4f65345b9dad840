import type { Acts, Recipient, Traveller } from '../judge/history';
import { progressOf } from './marketer';
import type { Outside } from './outside';
import { PORTS } from './program';
import { ask, type Answer } from './request';
import type { Account } from './template';

type Export = Acts['export'][1];
type Row = Record<string, string | number | null>;

/** All that is told of campaigns, journeys, audiences and sales in the end. Throws if something has no answer. */
export async function exportAll(outside: Outside, account: Account): Promise<Export> {
  const { workspaceId, campaigns, journeys, list, double } = account;
  const workspace = String(workspaceId);
  return {
    campaigns: await inTurn(campaigns, async (campaign) => {
      const answer = await whole(`/v1/campaigns/${campaign}`, account);
      const rows = await outside.rows<Row>('campaign.recipients', { workspace, campaign: String(campaign) });
      return { campaign, ...progressOf(answer), recipients: rows.map(recipientOf) };
    }),
    journeys: await inTurn(journeys, async ({ journey }) => {
      const given = { workspace, journey: String(journey) };
      const rows = await outside.rows<Row & { steps: Row[] }>('journey.enrollments', given);
      return { journey, contacts: rows.map(travellerOf) };
    }),
    audiences: await inTurn([list, double.id], async (audience) => {
      const rows = await pages(`/v1/audiences/${audience}/contacts`, account);
      const members = rows.map(({ email, membership }) => ({
        to: String(email),
        confirmed: membership === 'confirmed',
      }));
      return { audience, members };
    }),
    sales: (await pages('/v1/conversions', account)).map(({ order_id: order, amount, message_id: message }) => ({
      ...{ order: String(order), amount: Number(amount), message: String(message) },
    })),
  };
}

const recipientOf = ({ email, status, reason, message_id: message }: Row): Recipient => ({
  ...{ to: String(email), state: String(status) },
  reason: reason as string | null,
  message: message as string | null,
});

const travellerOf = ({ email, status, reason, steps }: Row & { steps: Row[] }): Traveller => ({
  ...{ to: String(email), state: String(status), reason: reason as string | null },
  steps: steps.map(({ step, type, at, message_id: message }) => ({
    ...{ step: Number(step), type: String(type), at: Date.parse(String(at)), message: message as string | null },
  })),
});

async function inTurn<T, R>(list: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const all: R[] = [];
  for (const item of list) all.push(await read(item));
  return all;
}

async function whole(path: string, { apiKey }: Account): Promise<Answer> {
  const answer = await ask(PORTS.http, path, { key: apiKey });
  if (answer?.status !== 200) throw new Error(`GET ${path} answered ${answer?.status} in the end.`);
  return answer;
}

/** Every item of a list that comes in pages. */
export async function pages(path: string, account: Account): Promise<Row[]> {
  const all: Row[] = [];
  for (let page = 1; ; page++) {
    const { body } = await whole(`${path}?page=${page}`, account);
    const { data, last_page: last } = body as { data: Row[]; last_page?: number };
    all.push(...data);
    if (page >= (last ?? 1) || data.length === 0) return all;
  }
}
