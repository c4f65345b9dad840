import { createReportListener, type ReportListener } from '../../api/reports/report-listener';
import type { Part } from './part';
import { listenAddress } from '../config/origin';
import { ReportPeers } from './report-peers';
import type { Services } from '../services';
import { listenError } from '../start-error';

/** The listener for delivery reports as a part of the program. Sets the port it bound. */
export function reportsPart(services: Services, ports: { bounce: number }): Part {
  const { config, keyring, clock, engine, logger } = services;
  const mtaHost = config.mtaUrl ? [new URL(config.mtaUrl).hostname.replace(/^\[|\]$/g, '')] : [];
  const peers = new ReportPeers([...mtaHost, ...config.reportPeers], logger);
  let listener: ReportListener | null = null;
  return {
    name: 'reports',
    start: async () => {
      await peers.start();
      listener = createReportListener({
        keyring,
        clock,
        log: engine.log,
        stores: engine.stores,
        rules: services.bounceRules,
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
      peers.stop();
    },
  };
}
