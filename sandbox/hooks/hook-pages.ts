import { HOOKS_PATH, pageMaker, sizeText, timeText } from '../page';
import { HOOK_BEHAVIOURS } from './hook-behaviour';
import { readPayload } from './hook-payload';
import { isVerified, type HookRequest, type HookSummary, type Verdict } from './hook-request';
import { HOOK, HOOKS } from './hook-templates';

const makeHooks = pageMaker(HOOKS_PATH, HOOKS);
const makeHook = pageMaker(HOOKS_PATH, HOOK);

/** A page shows this much of a body, characters; a link leads to all of it. */
const MAX_SHOWN = 16 * 1024;
const TONES: Record<Verdict, string> = { valid: 'good', invalid: 'bad', missing: 'bad', stale: 'wait', unknown: 'bad' };
const VERDICTS: Record<Verdict, string> = {
  valid: 'valid',
  invalid: 'not valid',
  missing: 'missing',
  stale: 'valid, but its timestamp is more than five minutes off',
  unknown: 'cannot be verified',
};

/** The page of all hooks with the newest requests; `publicUrl` is the base of the example call. */
export function hooksPage(hooks: readonly HookSummary[], newest: readonly HookRequest[], publicUrl: string): string {
  return makeHooks('Sandbox hooks', {
    hooks: hooks.map((hook) => ({ ...hook, ...times(hook.lastAt), path: pathOf(hook.name) })),
    newest: newest.map(described),
    behaviours: HOOK_BEHAVIOURS,
    curl: registerCall(publicUrl, 'shop'),
  });
}

/** The page of one hook. `older` is the id from which the next page continues, or null. */
export function hookPage(
  name: string,
  requests: readonly HookRequest[],
  facts: { total: number; older: number | null; publicUrl: string },
): string {
  return makeHook(`Hook ${name}`, {
    ...facts,
    name,
    hook: pathOf(name),
    url: `${facts.publicUrl}${pathOf(name)}`,
    about: HOOK_BEHAVIOURS.get(name)?.about ?? null,
    requests: requests.map((request) => ({ ...described(request), ...shown(request) })),
    curl: registerCall(facts.publicUrl, name),
  });
}

const pathOf = (name: string): string => `${HOOKS_PATH}/${encodeURIComponent(name)}`;

const times = (at: number): object => ({ iso: new Date(at).toISOString(), time: timeText(at) });

function described(request: HookRequest): object {
  const { serviceSignature, standardSignature } = request;
  return {
    ...request,
    ...times(request.receivedAt),
    path: pathOf(request.name),
    isVerified: isVerified(request),
    signatures: [
      { name: 'X-Service-Signature', tone: TONES[serviceSignature], text: VERDICTS[serviceSignature] },
      { name: 'webhook-signature', tone: TONES[standardSignature], text: VERDICTS[standardSignature] },
    ],
    answered: request.answer === null ? 'no answer' : `answered ${request.answer}`,
    size: sizeText(request.size),
  };
}

function shown({ text, size, headers }: HookRequest): object {
  const payload = readPayload(text);
  const body = payload ? JSON.stringify(payload, null, 2) : text;
  return {
    body: body.slice(0, MAX_SHOWN),
    isCut: body.length > MAX_SHOWN || size > Buffer.byteLength(text),
    headers: Object.entries(headers),
  };
}

const registerCall = (publicUrl: string, name: string): string =>
  [
    `curl ${publicUrl}/v1/webhooks \\`,
    `  -H 'Authorization: Bearer <your API key>' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"url": "${publicUrl}${pathOf(name).replaceAll("'", '%27')}",`,
    `       "event_types": ["delivered", "bounce", "complaint", "open", "click", "unsubscribe"]}'`,
  ].join('\n');
