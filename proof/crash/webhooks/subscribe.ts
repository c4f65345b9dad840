import type { Outside } from '../../world/actors';
import type { Receivers } from '../../world/receivers';
import type { Sender } from '../seed';

/** Registers a webhook for an open receiver, and tells it the secret. Returns its id; throws when it is refused. */
export async function subscribe(
  outside: Outside,
  { workspaceId: workspace, apiKey: key }: Sender,
  { receivers, hook, url, events }: { receivers: Receivers; hook: string; url: string; events: string[] },
): Promise<number> {
  const answer = await outside.insist('subscribe', {
    name: 'operator',
    value: { workspace, hook, events },
    path: '/v1/webhooks',
    asked: { key, body: { url, event_types: events } },
    isStubborn: true,
    said: ({ body }) => {
      receivers.know(hook, String(body.secret));
      return { webhook: Number(body.id) };
    },
  });
  if (!answer) throw new Error(`The webhook ${hook} was refused.`);
  return answer.webhook;
}
