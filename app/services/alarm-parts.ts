import { alarmEvaluations } from '../../consumers/timers/alarms/evaluate-alarms';
import type { AlarmSource } from '../../consumers/timers/alarms/source';
import { storeSources } from '../../consumers/timers/alarms/store-sources';
import { TimerWorker } from '../../consumers/timers/timer-worker';
import { SECOND } from '../../lib/clock';
import type { Part } from '../core/part';
import { dnsHosts, recordsOf } from '../../operations/domains/domain-records';
import type { StartContext } from './start-context';
import type { Services } from '../shared-services';
import { sendingAddresses, type SendingAddresses } from '../../operations/domains/check-names';
import { DomainDns } from '../../operations/domains/domain-dns';
import { domainSource, dmarcSource } from '../../consumers/timers/alarms/domain-sources';
import { blocklistSource, certificateSource } from '../../consumers/timers/alarms/server-sources';

const DNS_PATIENCE = { timeout: 1.5 * SECOND, tries: 1 };

/** The part that looks for alarms, in processes with the timers. */
export function alarmParts(starting: StartContext): Part[] {
  const { services, config, host, signal } = starting;
  if (!config.roles.includes('timers')) return [];
  const { engine, clock, activity, logger, health } = services;
  const evaluations = alarmEvaluations({ stores: engine.stores, logger }, alarmSources(services));
  const worker = new TimerWorker('alarms', evaluations, { clock, activity, logger, work: health.work });
  const part = { name: 'alarms', start: async () => worker.start(), stop: () => worker.stop() };
  return [{ ...part, start: () => host.begin(part, signal) }];
}

/** With the sandbox nothing outside is asked, and nothing of the DNS without one. */
export function alarmSources({ engine, config, keyring, clock }: Services): AlarmSource[] {
  const { stores } = engine;
  const { dns: servers } = config;
  if (config.mtaUrl === null) return storeSources(stores);
  const dns = (): DomainDns => new DomainDns(servers ?? [], DNS_PATIENCE);
  const addresses = async (asked: DomainDns | null): Promise<SendingAddresses> => {
    const { spf } = await dnsHosts(config, stores.settings);
    return spf === null ? { known: [], failed: [] } : sendingAddresses(asked, spf);
  };
  return [
    ...storeSources(stores),
    certificateSource(config),
    dmarcSource(stores, () => addresses(servers && dns())),
    ...(servers === null
      ? []
      : [
          blocklistSource(dns, config.blocklists, addresses),
          domainSource(stores, async (of) => {
            const hosts = await dnsHosts(config, stores.settings);
            const records = recordsOf(of, keyring, hosts, clock.now());
            return { domain: of.domain, records, hosts, replyTo: null, servers, patience: DNS_PATIENCE };
          }),
        ]),
  ];
}
