import type { ApiCaller } from '../caller';
import type { Sender } from '../seed';
import type { Behaviour } from './receivers';

/** A webhook and the endpoint it leads to. */
export interface Registered {
  /** The place of the endpoint among the receivers. */
  endpoint: number;
  behaviour: Behaviour;
  /** The place of its workspace among the senders. */
  workspace: number;
  webhookId: number;
  secret: string;
}

/** A delivery as the API shows it. */
export interface ListedDelivery {
  id: string;
  state: string;
  attempts: { at: string; error: string | null; duration_ms: number | null }[];
}

/**
 * The endpoints of the load: two workspaces with ten webhooks each, the most that one may have. Seventeen of the twenty
 * are good.
 */
export const LOADED: readonly (readonly Behaviour[])[] = [
  [...Array<Behaviour>(9).fill('good'), 'hangs'],
  [...Array<Behaviour>(8).fill('good'), 'refuses', 'redirects'],
];
/** Those of a third workspace, with few events: what they get in which moment shows the waits. */
export const WATCHED: readonly Behaviour[] = ['hangs', 'refuses', 'redirects'];
export const ALL_BEHAVIOURS: readonly Behaviour[] = [...LOADED.flat(), ...WATCHED];

/** Registers a webhook for every endpoint, in the order of ALL_BEHAVIOURS. Throws when one is refused. */
export async function registerAll(
  caller: ApiCaller,
  senders: readonly Sender[],
  ports: readonly number[],
): Promise<Registered[]> {
  const registered: Registered[] = [];
  for (const [workspace, behaviours] of [...LOADED, WATCHED].entries()) {
    for (const behaviour of behaviours) {
      const endpoint = registered.length;
      const url = `http://127.0.0.1:${ports[endpoint]}/`;
      const body = { url, event_types: ['delivered', 'open', 'click'] };
      const reply = await caller.request(senders[workspace]!.apiKey, '/webhooks', body);
      if (reply?.status !== 201) throw new Error(`POST /webhooks answered ${JSON.stringify(reply)}`);
      const { id, secret } = reply.body;
      registered.push({ endpoint, behaviour, workspace, webhookId: Number(id), secret: String(secret) });
    }
  }
  return registered;
}

/** The first page of the log of deliveries; empty when no answer came. */
export async function listDeliveries(
  caller: ApiCaller,
  { apiKey }: Sender,
  webhookId: number,
): Promise<ListedDelivery[]> {
  const reply = await caller.request(apiKey, `/webhooks/${webhookId}/deliveries`);
  return reply?.status === 200 ? (reply.body.data as ListedDelivery[]) : [];
}
