import type { Command } from 'commander';
import { randomUUID } from 'node:crypto';
import { demoAddresses, makeDemo } from '../app/operator/first-run';
import type { Commands } from './support/command';
import { publicUrl, runningService } from './support/public-url';
import { fields } from './support/table';

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
