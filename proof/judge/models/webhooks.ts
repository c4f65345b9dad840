import type { Act } from '../acts';
import { findingsOf, type Finding } from '../finding';
import { HOUR, WEBHOOK_ATTEMPTS } from '../rules';
import type { Hook, Message, Run, Workspace } from '../run';
import { cameTooSoon, isGivenUp, mayBeAccepted, offFrom } from './attempts';
import { expectedEvents, type Expected } from './events';

type Deliver = Act<'deliver'>;
type Add = ReturnType<typeof findingsOf>['add'];
/** Requests by message and event, then by their id. */
type Got = Map<string, Map<string, Deliver[]>>;

/** Every event reaches every hook that asked for it, under an id of its own, and nothing else does. */
export function judgeWebhooks(run: Run, workspace: Workspace): Finding[] {
  if (workspace.hooks.length === 0) return [];
  const expected = new Map(
    workspace.messages.map((message) => [message, expectedEvents(message, workspace, run.slack.evidence)]),
  );
  return workspace.hooks.flatMap((hook) => {
    const { list, add } = findingsOf(`hook ${hook.name}`);
    const got = judgeRequests(run, hook, add);
    const off = offFrom(hook);
    for (const [message, kinds] of expected) {
      for (const event of new Set([...Object.keys(kinds), ...hook.subscribe.value.events])) {
        judgeEvents(run, { hook, off, message, event, expected: kinds[event], got }, list);
      }
    }
    return list;
  });
}

/** What each request says by itself, and with those of the same id. */
function judgeRequests(run: Run, hook: Hook, add: Add): Got {
  const byId = new Map<string, Deliver[]>();
  const got: Got = new Map();
  for (const deliver of hook.delivers) {
    const { id, event, message, signed } = deliver.value;
    if (!signed) add('webhook-signature', 'A request is not signed with the secret of its hook.', [deliver]);
    const known = byId.get(id);
    if (known) known.push(deliver);
    else byId.set(id, [deliver]);
    if (!hook.subscribe.value.events.includes(event)) {
      add('webhook-event', `The hook did not ask for the event ${event}.`, [hook.subscribe, deliver]);
    }
    const owner = run.messages.get(message);
    if (owner?.workspace !== hook.workspace) {
      const whose = owner?.workspace == null ? 'that is not there' : `of workspace ${owner.workspace}`;
      add('webhook-foreign', `An event is of a message ${whose}.`, [hook.subscribe, deliver]);
    }
  }
  for (const [id, attempts] of byId) judgeId(run, id, attempts, got, add);
  return got;
}

function judgeId({ faultTimes, slack }: Run, id: string, attempts: Deliver[], got: Got, add: Add): void {
  const facts = attempts.map(({ value }) => `${value.message} ${value.event} ${value.at}`);
  if (new Set(facts).size > 1) add('webhook-id', `The id ${id} is that of several events.`, attempts);
  if (attempts.length > WEBHOOK_ATTEMPTS)
    add('webhook-attempts', `${attempts.length} attempts under the id ${id}.`, attempts);
  if (cameTooSoon(attempts, faultTimes, slack))
    add('webhook-wait', `The attempts under the id ${id} came too soon.`, attempts);
  const [first] = attempts;
  if (!first) return;
  const key = `${first.value.message} ${first.value.event}`;
  const ids = got.get(key);
  if (ids) ids.set(id, attempts);
  else got.set(key, new Map([[id, attempts]]));
}

interface Judged {
  hook: Hook;
  off: number;
  message: Message;
  event: string;
  expected: Expected | undefined;
  got: Got;
}

const NONE: Expected = { least: () => 0, most: 0, from: Infinity, to: -Infinity };

/** The events of one kind of one message at one hook. */
function judgeEvents({ faultTimes, slack }: Run, judged: Judged, findings: Finding[]): void {
  const { hook, off, message, event, expected = NONE, got } = judged;
  const { list, add } = findingsOf(`message ${message.id}`);
  const ids = [...(got.get(`${message.id} ${event}`)?.values() ?? [])];
  const seen = ids.flat();
  const causes = [...message.attempts, ...message.reports, ...message.opens, ...message.clicks];
  if (ids.length > expected.most) {
    add('webhook-untrue', `${hook.name} heard of ${ids.length} events ${event}, where ${expected.most} may be.`, [
      ...causes,
      ...seen,
    ]);
  }
  if (expected.most > 0 && seen.some(({ at }) => at < expected.from)) {
    add('webhook-untrue', `${hook.name} heard of ${event} before it happened.`, [...causes, ...seen]);
  }
  const asked = hook.subscribe.result === 'ok' && hook.subscribe.value.events.includes(event);
  const least = asked ? expected.least(hook.subscribe.end) : 0;
  const isTold = (attempts: Deliver[]): boolean => attempts.some((one) => mayBeAccepted(one, faultTimes));
  const came = ids.filter(isTold).length;
  if (came < least && expected.to < off - HOUR) {
    const failed = ids.filter((attempts) => !isTold(attempts));
    const ended = failed.filter((attempts) => isGivenUp(attempts, expected.from, faultTimes, slack)).length;
    const hidden = isGivenUp([], expected.from, faultTimes, slack);
    const unseen = least - ids.length;
    if (ended < failed.length || (unseen > 0 && !hidden)) {
      const text = `${hook.name} was told of ${came} of ${least} events ${event}, and not tried five times for the rest.`;
      add('webhook-lost', text, [hook.subscribe, ...causes, ...seen]);
    }
  }
  findings.push(...list);
}
