import { presentHooks, presentRequests, readSandbox, type SandboxReader } from '../app/operator/sandbox-inbox';
import type { Session, VerbSpec } from './support/command';
import { CommandError } from './support/errors';
import { text, whole } from './support/input';
import type { Answer } from './support/output';
import { table } from './support/table';
import { showTime } from './support/times';

export const noSandbox = ({ config }: Session): CommandError =>
  new CommandError(`There is no sandbox in ${config.dataDir}.`, 'Start the service without KURIR_MTA_URL to try one.');

function showHooks({ paint }: Session, { hooks }: SandboxReader): Answer {
  const found = hooks.hooks();
  return {
    text: table(
      paint,
      [{ title: 'hook', max: 40 }, { title: 'requests' }, { title: 'verified' }, { title: 'last' }],
      found.map(({ name, requests, verified, lastAt }) => [name, requests, verified, showTime(lastAt)]),
      'No hook has received a request yet.',
    ),
    json: presentHooks(found),
  };
}

function showRequests(
  { paint }: Session,
  { hooks }: SandboxReader,
  { name, limit, before }: { name: string; limit: number; before: number },
): Answer {
  const found = hooks.list(name, limit + 1, before);
  const requests = found.slice(0, limit);
  const older = found.length > limit ? (requests.at(-1)?.id ?? null) : null;
  const columns = [
    'id',
    'received',
    'event',
    'message',
    'attempt',
    'X-Service-Signature',
    'webhook-signature',
    'answer',
  ];
  return {
    text: table(
      paint,
      columns.map((title) => ({ title, max: 40 })),
      requests.map((request) => [
        request.id,
        showTime(request.receivedAt),
        request.event,
        request.messageId,
        request.attempt,
        request.serviceSignature,
        request.standardSignature,
        request.answer,
      ]),
      `The hook ${name} has received no request yet.`,
    ),
    json: presentRequests(requests, { total: hooks.count(name), older }),
  };
}

/** `kurir sandbox hooks`: what the sandbox's hooks received. */
export const hooks: VerbSpec = {
  name: 'hooks',
  summary: 'what the hooks of the sandbox received: all hooks, or the requests of one, newest first',
  args: [['[hook]', 'name of a hook: the last part of its URL']],
  options: [
    ['--limit <n>', 'requests at most, 1 to 500; default: 20'],
    ['--before <id>', 'only requests before this one: the next page'],
  ],
  examples: [
    ['sandbox hooks', 'every hook, with the number of its requests'],
    ['sandbox hooks shop', 'the last 20 requests of /sandbox/hooks/shop'],
    ['sandbox hooks shop --json', 'with headers and bodies, as the page answers it'],
  ],
  run: (input) => {
    const name = input.optionalArg('hook', text());
    const limit = input.option('limit', whole(1, 500)) ?? 20;
    const before = input.option('before', whole(1, Number.MAX_SAFE_INTEGER)) ?? Number.MAX_SAFE_INTEGER;
    return async (session) => {
      const sandbox = readSandbox(session.config);
      if (!sandbox) throw noSandbox(session);
      try {
        return name === undefined
          ? showHooks(session, sandbox)
          : showRequests(session, sandbox, { name, limit, before });
      } finally {
        sandbox.close();
      }
    };
  },
};
