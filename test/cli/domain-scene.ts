import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { DnsServer } from '../support/dns-server';
import { TestOperator } from '../support/test-operator';

/** What the sending server of these tests is in an SPF record. */
export const SPF = 'ip4:203.0.113.7';

export interface DnsRow {
  purpose: string;
  name: string;
  type: 'TXT' | 'MX';
  value: string;
  zone: string;
}

/** An operator with a workspace, and a DNS server for each case. */
export class DomainScene {
  operator!: TestOperator;
  dns!: DnsServer;
  private serial = 0;

  /** Of the file that calls it: opened before its first case, closed after its last. */
  static ofFile(): DomainScene {
    const scene = new DomainScene();
    beforeAll(async () => {
      scene.operator = await TestOperator.open({
        env: { KURIR_PUBLIC_URL: 'https://mail.example.net', KURIR_SANDBOX_PUBLIC: 'true' },
      });
      await scene.operator.ask('workspace', 'create', 'Toko Melati');
      await scene.operator.ask('domain', 'dns', '--spf', SPF);
    });
    afterAll(() => scene.operator.remove());
    beforeEach(async () => {
      scene.dns = await DnsServer.start();
    });
    afterEach(() => scene.dns.stop());
    return scene;
  }

  readonly newDomain = async (name?: string): Promise<{ name: string; dns: DnsRow[] }> => {
    const added = await this.operator.ask('domain', 'add', 'Toko Melati', name ?? `toko${(this.serial += 1)}.example`);
    return { name: added.domain as string, dns: added.dns as DnsRow[] };
  };

  /** Puts the records into the DNS as they were printed. */
  readonly publish = (records: DnsRow[]): void => {
    for (const { type, name, value } of records) this.dns.set(type, name, value.replace(/\.$/, ''));
  };

  readonly check = async (name: string) => {
    const said = await this.operator.run(['domain', 'check', name, '--resolver', this.dns.address, '--json']);
    const records = said.json.records as { purpose: string; status: string; fault: string | null; found: string[] }[];
    return {
      code: said.code,
      ok: said.json.ok,
      of: (purpose: string) => records.find((record) => record.purpose === purpose)!,
      statuses: Object.fromEntries(records.map((record) => [record.purpose, record.status])),
    };
  };
}
