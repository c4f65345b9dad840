import type { Handlers } from '../crash/stage/role';
import { expandCampaign, fillAudience } from './audience-fill';
import { listenBare } from './bare-server';
import { listenBareSmtp } from './bare-smtp';
import { load } from './load';
import { sendByNodemailer } from './nodemailer-loop';
import { relayLoad } from './relay-load';
import { reportAll } from './report-load';
import { SmtpSink } from './smtp-sink';
import { steadyLoad } from './steady-load';
import { postByUndici } from './undici-loop';
import { WebhookEndpoints } from './webhook-endpoints';

function sinkRole() {
  const sink = new SmtpSink();
  return {
    listen: () => sink.listen(),
    answerAfter: (ms: number) => void (sink.answerAfter = ms),
    reset: () => sink.reset(),
    count: () => sink.count(),
    waitFor: (count: number) => sink.waitFor(count),
    arrivals: (ids: readonly string[]) => sink.arrivals(ids),
    envelopes: () => sink.envelopes(),
  };
}

function endpointsRole() {
  const endpoints = new WebhookEndpoints();
  return {
    listen: (count: number) => endpoints.listen(count),
    reset: () => endpoints.reset(),
    count: () => endpoints.count(),
    arrivals: () => endpoints.arrivals(),
    lastBody: () => endpoints.lastBody,
  };
}

/** Everything that runs next to the service in its own process. */
export const ROLES = {
  sink: sinkRole,
  bare: () => ({ listen: async () => (await listenBare()).port }),
  bareSmtp: () => ({ listen: async () => (await listenBareSmtp()).port }),
  loop: () => ({ send: sendByNodemailer }),
  audience: () => ({ fill: fillAudience, expand: expandCampaign }),
  endpoints: endpointsRole,
  'undici-loop': () => ({ post: postByUndici }),
  load: () => ({ load, steady: steadyLoad, relay: relayLoad, report: reportAll }),
} satisfies Record<string, () => Handlers>;

export type RoleName = keyof typeof ROLES;
