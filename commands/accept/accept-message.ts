import type { AcceptDeps } from './accept-deps';
import { acceptMessages, type Accepted } from './accept-messages';
import type { AcceptRequest } from './accept-request';
import type { Refusal } from './refusal';

/** Accepts one message: a batch of one; see `acceptMessages`. */
export async function acceptMessage(deps: AcceptDeps, request: AcceptRequest): Promise<Accepted | Refusal> {
  const [result] = await acceptMessages(deps, [request]);
  return result!;
}
