import { randomUUID } from 'node:crypto';
import { demoAddresses, firstCalls, makeDemo } from '../operations/installation/first-run';
import { publicUrl, runningService } from '../operations/installation/public-url';
import { terminalCommand, type CliCommand } from './support/command';

/** `kurir demo`: the demo workspace of the first run; creates it when it is missing. */
export const DEMO_COMMANDS: readonly CliCommand[] = [
  terminalCommand('demo', {
    examples: [
      ['demo', 'base URL, API key, domain, inbox, SMTP login'],
      ['demo --json > first-run.json', 'in the format of the first start'],
    ],
    handler: async (_, session) => {
      const addresses = demoAddresses(session.config, publicUrl(session), runningService(session.config)?.ports);
      const accounts = await session.accounts();
      await session.note('demo', 'demo workspace, API key and SMTP login', null);
      const maker = { accounts, clock: session.clock, owner: `cli ${randomUUID()}` };
      return makeDemo(session.stores, maker, addresses);
    },
    details: {
      'base URL': 'base_url',
      'API key': 'api_key',
      'sending domain id': 'sending_domain_id',
      inbox: 'inbox_url',
      hooks: 'hooks_url',
      SMTP: ({ smtp }) => `${smtp.host}, port ${smtp.port} (STARTTLS) or ${smtp.tls_port} (TLS)`,
      'SMTP username': ({ smtp }) => smtp.username,
      'SMTP password': ({ smtp }) => smtp.password,
    },
    text: (run) => `\n${firstCalls(run)}`,
  }),
];
