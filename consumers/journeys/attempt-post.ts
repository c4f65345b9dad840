import { journeySecretContext } from '../../domain/journeys/journey';
import { MAX_POSTS, nextPostAt } from '../../domain/journeys/journey-post';
import type { Keyring } from '../../domain/keyring';
import { maskAddresses } from '../../domain/addresses/mask-addresses';
import type { DeliveryAttempt } from '../../domain/webhooks/webhook-delivery';
import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { ClaimedTask } from '../../stores/ports/due-tasks';
import type { OpenedPost, PostResult } from '../../stores/ports/journey-posts';
import { journeyPayload } from '../../commands/webhooks/journey-payload';
import { signedHeaders } from '../../commands/webhooks/client/sign';
import type { WebhookSender } from '../../commands/webhooks/client/webhook-sender';
import { HURRIED, INTERRUPTED } from '../webhooks/attempt';

export interface PostDeps {
  stores: Pick<Stores, 'journeyPosts' | 'workspaces'>;
  keyring: Pick<Keyring, 'open'>;
  sender: Pick<WebhookSender, 'send'>;
  clock: Clock;
}

type Addressed = OpenedPost & { contact: NonNullable<OpenedPost['contact']> };

/**
 * Makes one attempt at a post and stores its result (docs/contract.md#journey-webhook-step). Attempts that a process died
 * in were counted at their claim, and are written down here. A deleted contact ends the post, and so does a suspended
 * workspace.
 */
export async function attemptPost(deps: PostDeps, task: ClaimedTask, signal: AbortSignal): Promise<void> {
  const { journeyPosts, workspaces } = deps.stores;
  const opened = await journeyPosts.open(task.id);
  const workspace = await workspaces.get(task.workspaceId);
  if (!opened?.contact || !workspace || workspace.suspended) {
    await journeyPosts.finish(task, { state: 'cancelled', attempts: [], nextAt: null });
    return;
  }
  const made = opened.post.attempts.length;
  const lost = lostAttempts(task, made);
  if (made + lost.length >= MAX_POSTS) {
    await journeyPosts.finish(task, { state: 'given_up', attempts: lost, nextAt: null });
    return;
  }
  const attempt = await send(deps, { ...opened, contact: opened.contact }, signal);
  await journeyPosts.finish(task, resultOf(made, [...lost, attempt]));
}

/** Attempts that were claimed and never stored. */
const lostAttempts = ({ attempt, dueAt }: ClaimedTask, made: number): DeliveryAttempt[] =>
  Array.from({ length: Math.max(0, Math.min(attempt - 1, MAX_POSTS) - made) }, () => ({
    ...{ at: dueAt, status: null, error: INTERRUPTED, durationMs: null, answer: null },
  }));

async function send(
  { keyring, sender, clock }: PostDeps,
  { post, journey, url, contact, goalReached }: Addressed,
  signal: AbortSignal,
): Promise<DeliveryAttempt> {
  const { enrollmentId, step, workspaceId, createdAt: occurredAt } = post;
  const body = Buffer.from(JSON.stringify(journeyPayload({ journey, contact, step, goalReached, occurredAt })));
  const secret = keyring.open(journey.secretSealed, journeySecretContext(workspaceId));
  const at = clock.now();
  const headers = signedHeaders({ secret, id: `${enrollmentId}:${step}`, at, body });
  const { status, error, durationMs, answer } = await sender.send({ url, headers, body, signal });
  if (signal.aborted && signal.reason !== HURRIED) throw new Error('The program stopped during the attempt.');
  const reason = signal.aborted && error !== null ? HURRIED : error;
  return { at, status, error: reason, durationMs, answer: answer === null ? null : maskAddresses(answer) };
}

function resultOf(before: number, attempts: readonly DeliveryAttempt[]): PostResult {
  const last = attempts.at(-1);
  const made = before + attempts.length;
  if (!last || last.error === null) return { state: 'delivered', attempts: [...attempts], nextAt: null };
  if (made >= MAX_POSTS) return { state: 'given_up', attempts: [...attempts], nextAt: null };
  return { state: 'waiting', attempts: [...attempts], nextAt: nextPostAt(made, last.at) };
}
