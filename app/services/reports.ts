import { join } from 'node:path';
import { inlineReportReader, type ReportReader } from '../../smtp/reports/report-reader';
import { WorkerReportReader } from '../../smtp/reports/worker-report-reader';
import { createReportListener, type ReportListener } from '../../smtp/reports/report-listener';
import type { Part } from '../core/part';
import { listenAddress } from '../../operations/config/origin';
import { ReportPeers } from './report-peers';
import type { Services } from '../shared-services';
import { listenError } from '../../lib/start-error';

/** The listener for delivery reports as a part of the program. Sets the port it bound. */
export function reportsPart(services: Services, ports: { bounce: number }): Part {
  const { config, keyring, clock, engine, logger } = services;
  const mtaHosts = config.mtaServers.map(({ url }) => new URL(url).hostname.replace(/^\[|\]$/g, ''));
  const peers = new ReportPeers([...mtaHosts, ...config.reportPeers], logger);
  let listener: ReportListener | null = null;
  const reader = openReportReader(services);
  return {
    name: 'reports',
    start: async () => {
      await peers.start();
      listener = createReportListener({
        keyring,
        clock,
        log: engine.log,
        stores: engine.stores,
        reportStores: engine.stores,
        reader,
        port: ports.bounce,
        host: listenAddress(config),
        isTrustedPeer: (address) => peers.judge(address),
        hostname: new URL(config.publicUrl ?? 'http://bounce.kurir.test').hostname,
        logger,
      });
      try {
        ports.bounce = (await listener.listen()).port;
      } catch (error) {
        peers.stop();
        throw listenError('listener for delivery reports', ports.bounce, 'KURIR_BOUNCE_PORT', error);
      }
    },
    stop: async () => {
      await listener?.close();
      await reader.close();
      peers.stop();
    },
  };
}

/** Reads reports in a thread where there is a program for it. */
function openReportReader({ programs, config, bounceRules, logger }: Services): ReportReader {
  if (programs === null) return inlineReportReader(bounceRules);
  return new WorkerReportReader({
    program: join(programs, 'report-worker.js'),
    rules: config.bounceRules,
    onGone: (err) => logger.error({ err }, 'the report worker stopped; the next report starts a new one'),
  });
}
