import type { Command } from 'commander';
import { randomUUID } from 'node:crypto';
import { demoAddresses, makeDemo } from '../app/operator/first-run';
import { publicUrlOf } from '../app/config/origin';
import { findRunning, type RunningService } from '../app/engines/running-file';
import type { Commands, Session } from './support/command';
import { CommandError } from './support/errors';
import { fields } from './support/table';

function runningService({ engine, dataDir }: Session['config']): RunningService | null {
  const found = engine === 'embedded' ? findRunning(dataDir) : null;
  return found === 'unknown' ? null : found;
}

/** The address of the service; ports chosen by the system are known only while it runs. */
function publicUrl({ config }: Session): string {
  if (config.publicUrl !== null || config.httpPort !== 0) return publicUrlOf(config, config.httpPort);
  const running = runningService(config);
  if (running) return running.baseUrl.replace(/\/v1$/, '');
  throw new CommandError(
    'KURIR_HTTP_PORT is 0, so the address of the service is known only while it runs.',
    'Start the service, or set KURIR_HTTP_PORT or KURIR_PUBLIC_URL.',
  );
}

/** `kurir demo`: the demo workspace of the first run; creates it when it is missing. */
export const demoCommand = (commands: Commands): Command =>
  commands.verb({
    name: 'demo',
    summary: 'show the demo workspace as first-run.json does, and create it when it is missing; the view is logged',
    examples: [
      ['demo', 'base URL, API key, domain, inbox, SMTP login'],
      ['demo --json > first-run.json', 'as the first start writes it'],
    ],
    run: () => async (session) => {
      const addresses = demoAddresses(session.config, publicUrl(session), runningService(session.config)?.ports);
      const accounts = await session.accounts();
      await session.note('demo', 'demo workspace with its key and login', null);
      const maker = { accounts, clock: session.clock, owner: `cli ${randomUUID()}` };
      const run = await makeDemo(session.stores, maker, addresses);
      return {
        text: fields(session.paint, [
          ['base URL', run.base_url],
          ['API key', run.api_key],
          ['sending domain id', run.sending_domain_id],
          ['inbox', run.inbox_url],
          ['hooks', run.hooks_url],
          ['SMTP', `${run.smtp.host}, port ${run.smtp.port} (STARTTLS) or ${run.smtp.tls_port} (TLS)`],
          ['SMTP username', run.smtp.username],
          ['SMTP password', run.smtp.password],
        ]),
        json: run,
      };
    },
  });
