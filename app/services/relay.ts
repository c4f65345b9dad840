import { join } from 'node:path';
import type { SubmissionPolicy } from '../../smtp/relay/protocol/policy';
import { RelayListener, type RelayPorts } from '../../smtp/relay/protocol/relay-listener';
import { formatDuration } from '../../lib/duration';
import { listenAddress, LOOPBACK } from '../../operations/config/origin';
import { OWN_CERTIFICATE, sandboxDir } from '../../operations/installation/data-dir';
import type { Services } from '../shared-services';
import { listenError } from '../../lib/start-error';
import { wallTime } from '../../lib/advancing-clock';
import type { Part } from '../core/part';
import { RelayCertificate } from './relay-certificate';

/** Where the relay listens. */
export interface Relay extends RelayPorts {
  host: string;
  /** SHA-256 of the certificate, for clients to compare where it is self-made; null where it comes from files. */
  fingerprint: string | null;
}

/**
 * The SMTP relay as a part of the program. Sets the ports it bound; `onStart` gets where it listens. Its work begins
 * last and ends first, since it makes work for other parts.
 */
export function relayPart<L>(
  services: Services,
  policy: SubmissionPolicy<L>,
  { ports, onStart }: { ports: RelayPorts; onStart: (relay: Relay) => void },
): Part {
  const { config, logger, health } = services;
  const host = listenAddress(config);
  const hostname = new URL(config.publicUrl ?? 'http://smtp.kurir.test').hostname;
  const names = [hostname, 'localhost', LOOPBACK, '::1'] as const;
  const file = join(sandboxDir(config), OWN_CERTIFICATE);
  // Clients judge a certificate by the real time.
  const certificate = new RelayCertificate({ files: config.smtpTls ?? config.tls, file, names, now: wallTime, logger });
  let listener: RelayListener<L> | null = null;
  return {
    name: 'smtp',
    start: async () => {
      const pair = await certificate.open((changed) => listener?.useCertificate(changed));
      const { smtpConnections: connections, smtpMemory: memory } = config;
      listener = new RelayListener({ policy, hostname, host, ports, certificate: pair, connections, memory, logger });
      try {
        Object.assign(ports, await listener.listen());
      } catch (error) {
        await certificate.close();
        const isTls = (error as { port?: number }).port === ports.smtps;
        throw isTls
          ? listenError('SMTP relay with TLS', ports.smtps, 'KURIR_SMTPS_PORT', error)
          : listenError('SMTP relay', ports.smtp, 'KURIR_SMTP_PORT', error);
      }
      const relay = listener;
      health.watch('smtp', async () => (relay.isListening ? null : 'the relay accepts no connections'));
      health.watch('smtp certificate', async () => certificateFault(certificate.facts.validTo, wallTime()), 'missed');
      const fingerprint = certificate.isOwn ? certificate.facts.fingerprint : null;
      onStart({ host, ...ports, fingerprint });
    },
    stop: async () => {
      await listener?.close();
      await certificate.close();
    },
  };
}

/** Null while the certificate holds. Times in ms. */
const certificateFault = (validTo: number, now: number): string | null =>
  validTo > now ? null : `the certificate of the relay expired ${formatDuration(now - validTo)} ago`;
