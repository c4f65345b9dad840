import { apiTime } from '../inbox-json';
import { readPayload } from './hook-payload';
import { isVerified, type HookRequest, type HookSummary } from './hook-request';

/** A hook of the list, as JSON. */
export function presentHook({ name, requests, verified, lastAt }: HookSummary): object {
  return { name, requests, verified, last_at: apiTime(lastAt) };
}

/** A request as JSON; `payload` is its body parsed, null when it is no JSON object. */
export function presentRequest(request: HookRequest): object {
  return {
    id: request.id,
    hook: request.name,
    received_at: apiTime(request.receivedAt),
    event: request.event,
    message_id: request.messageId,
    webhook_id: request.webhookId,
    attempt: request.attempt,
    verified: isVerified(request),
    signatures: { service: request.serviceSignature, standard: request.standardSignature },
    webhook: request.subscription,
    answer: request.answer,
    headers: request.headers,
    size: request.size,
    body: request.text,
    payload: readPayload(request.text),
  };
}

/** Requests of one hook as JSON; `total` are those kept. */
export const presentRequests = (
  requests: readonly HookRequest[],
  { total, older }: { total: number; older: number | null },
): object => ({ data: requests.map(presentRequest), total, next_before: older });
