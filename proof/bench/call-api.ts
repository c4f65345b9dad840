import type { Sender } from './message-request';
import type { Service } from './service';

/** A request that must succeed; throws with the answer when it does not. */
export async function callApi(
  { port }: Pick<Service, 'port'>,
  { apiKey }: Sender,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}
