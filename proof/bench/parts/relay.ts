import { loadavg } from 'node:os';
import type { Sender } from '../message-request';
import { processUsage } from '../../crash/process-usage';
import type { RelayLoadResult } from '../relay-load';
import { fixed, machine, type Section, whole } from '../report';
import { type Stage, withStage } from '../stage';
import { median } from '../time';
import { refuseFaults } from './accept';

export const RELAY_TITLE = 'SMTP relay';

const FULL = { rounds: 5, seconds: 8, warmUp: 4 };
const QUICK = { rounds: 1, seconds: 2, warmUp: 1 };
const CONNECTIONS = 64;
/** The sending server takes a mail in ten minutes: what is measured is the way in, so nearly nothing goes out. */
const MTA = { connections: 1, answerAfter: 600_000 };

type Measured = Pick<RelayLoadResult, 'rate' | 'cpu' | 'refused'>;

/**
 * Durable mails per second by the relay, beside an smtp-server that discards them; and the processor time of each
 * beside that of POST /messages with the same mail.
 */
export async function relayRate(quick: boolean): Promise<Section> {
  const { rounds, seconds, warmUp } = quick ? QUICK : FULL;
  const [load = 0] = loadavg();
  const effort = { rounds, seconds, mails: 0, connections: CONNECTIONS, mtaConnections: MTA.connections };
  // A workspace takes 1,200 recipients a minute, so each stretch of the relay has workspaces of its own.
  return withStage(effort, CONNECTIONS * (rounds + 2), async (stage) => {
    await stage.sink.call('answerAfter', MTA.answerAfter);
    const found = { relay: [] as Measured[], bare: [] as Measured[], rest: [] as Measured[] };
    const rest = stage.takeSenders(CONNECTIONS);
    const port = await stage.bareSmtp.call('listen', undefined);
    for (let round = 0; round <= rounds; round++) {
      const play = round === 0 ? warmUp : seconds;
      const logins = stage.takeSenders(CONNECTIONS).map(({ smtp }) => smtp);
      const { smtpsPort, pid } = stage.service;
      const relay = await stage.load.call('relay', { port: smtpsPort, pid, logins, seconds: play });
      const bare = await stage.load.call('relay', { port, pid: stage.bareSmtp.pid, logins, seconds: play });
      const posted = await post(stage, rest, play);
      refuseFaults([relay, bare, posted]);
      if (round === 0) continue;
      found.relay.push(relay);
      found.bare.push(bare);
      found.rest.push(posted);
    }
    return section(found, load);
  });
}

async function post({ load, service }: Stage, senders: Sender[], seconds: number): Promise<Measured> {
  const { port, pid } = service;
  const before = processUsage(pid)?.cpuSeconds ?? NaN;
  const result = await load.call('load', { port, senders, connections: CONNECTIONS, until: { seconds } });
  const cpu = (((processUsage(pid)?.cpuSeconds ?? NaN) - before) * 1_000) / result.accepted;
  return { ...result, cpu };
}

function section({ relay, bare, rest }: Record<'relay' | 'bare' | 'rest', Measured[]>, load: number): Section {
  const ratio = (of: 'rate' | 'cpu', to: Measured[]): string =>
    fixed(median(relay.map((result, round) => result[of] / (to[round]?.[of] ?? NaN))), 2);
  const row = (name: string, results: Measured[], ratios: [string, string]): string[] => [
    name,
    whole(median(results.map(({ rate }) => rate))),
    ratios[0],
    fixed(median(results.map(({ cpu }) => cpu)), 2),
    ratios[1],
  ];
  return {
    title: RELAY_TITLE,
    about:
      `\`npm run bench -- relay\` on ${new Date().toISOString().slice(0, 10)}: ${machine()} Load at the start: ${fixed(load, 1)}. The sample mail as nodemailer ` +
      `writes it (multipart, quoted-printable), each to one new recipient, over ${CONNECTIONS} connections with TLS that are ` +
      'logged in before, MAIL, RCPT and DATA in one write. Beside it a bare smtp-server under TLS that takes every login ' +
      'and recipient and discards the mail, and `POST /v1/messages` with the same mail. Next to nothing is handed over ' +
      'meanwhile. The ratios are of the relay to that line. Its limit is the main thread of the service, which is busy all the ' +
      'time, with TLS and the dialogue, the reading of the mail, and the checks on the way to the commit.',
    head: ['server', 'accepted/s', 'relay to it', 'CPU ms/mail', 'relay to it'],
    rows: [
      row('Kurir, relay', relay, ['1.00', '1.00']),
      row('bare smtp-server', bare, [ratio('rate', bare), ratio('cpu', bare)]),
      row('Kurir, POST /v1/messages', rest, [ratio('rate', rest), ratio('cpu', rest)]),
    ],
  };
}
