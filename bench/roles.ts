import { listenBare } from './bare-server';
import { listenBareSmtp } from './bare-smtp';
import { load } from './load';
import { sendByNodemailer } from './nodemailer-loop';
import { relayLoad } from './relay-load';
import type { Handlers } from './role';
import { SmtpSink } from './smtp-sink';
import { steadyLoad } from './steady-load';

function sinkRole() {
  const sink = new SmtpSink();
  return {
    listen: () => sink.listen(),
    answerAfter: (ms: number) => void (sink.answerAfter = ms),
    reset: () => sink.reset(),
    count: () => sink.count(),
    waitFor: (count: number) => sink.waitFor(count),
  };
}

/** Everything that runs next to the service in its own process. */
export const ROLES = {
  sink: sinkRole,
  bare: () => ({ listen: async () => (await listenBare()).port }),
  bareSmtp: () => ({ listen: async () => (await listenBareSmtp()).port }),
  loop: () => ({ send: sendByNodemailer }),
  load: () => ({ load, steady: steadyLoad, relay: relayLoad }),
} satisfies Record<string, () => Handlers>;

export type RoleName = keyof typeof ROLES;
