import { processUsage } from '../crash/process-usage';
import { RelayConnection, type RelayLogin } from './relay-connection';
import { relayMails } from './relay-mail';
import { monotonic } from './time';

export interface RelayLoadOptions {
  /** Port of the SMTP server with TLS from the start, on 127.0.0.1. */
  port: number;
  /** Each has a connection of its own. */
  logins: RelayLogin[];
  seconds: number;
  /** The process of the server. */
  pid: number;
}

export interface RelayLoadResult {
  accepted: number;
  /** Answers other than 250, and connections that ended. */
  refused: number;
  /** Accepted mails per second. */
  rate: number;
  /** Processor time of the server for each, ms; without handshakes and logins. */
  cpu: number;
}

let mails = 0;

/** Sends as many mails as the server takes, each to one new recipient, over connections that are logged in before. */
export async function relayLoad({ port, logins, seconds, pid }: RelayLoadOptions): Promise<RelayLoadResult> {
  const mailOf = await relayMails();
  let accepted = 0;
  let refused = 0;
  const connections = await Promise.all(logins.map((login) => RelayConnection.open(port, login)));
  const startedAt = monotonic();
  const usedBefore = processUsage(pid)?.cpuSeconds ?? NaN;
  const end = startedAt + seconds * 1_000;
  const send = async (connection: RelayConnection, { from }: RelayLogin): Promise<void> => {
    while (connection.alive && monotonic() < end) {
      const id = `r${process.pid}-${++mails}`;
      const code = await connection.send(from, `${id}@recipient.example`, mailOf(from, id));
      if (code === '250') accepted += 1;
      else refused += 1;
    }
  };
  await Promise.all(connections.map((connection, n) => send(connection, logins[n]!)));
  const rate = (accepted * 1_000) / (monotonic() - startedAt);
  const cpu = (((processUsage(pid)?.cpuSeconds ?? NaN) - usedBefore) * 1_000) / accepted;
  refused += connections.filter(({ alive }) => !alive).length;
  for (const connection of connections) connection.close();
  return { accepted, refused, rate, cpu };
}
