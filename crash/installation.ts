import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AdvancingClock } from '../app/time-travel/advancing-clock';
import { DATABASE } from '../app/engines/data-dir';
import { openAuditSource } from '../stores/embedded/audit/audit-source';
import { openEmbedded } from '../stores/embedded/open';
import type { AuditSource } from '../stores/ports/audit-source';
import type { Engine } from '../stores/ports/engine';

/** One installation under test: what its processes are told of where its data is, and a way to that data beside them. */
export interface Installation {
  readonly engine: 'embedded' | 'cluster';
  /** For every process of it, beside ports and sending server. */
  readonly env: Readonly<Record<string, string>>;
  /** Opens the data, whether something runs on it or not; made where there is none. */
  open(clock?: AdvancingClock): Promise<Engine>;
  /** Opens it as `kurir audit` reads it. */
  audit(): Promise<AuditSource>;
  /** Deletes the data. */
  remove(): Promise<void>;
}

/** An installation on the embedded engine, in a data dir of its own. */
export function embeddedInstallation(dataDir: string): Installation & { readonly dataDir: string } {
  const file = join(dataDir, DATABASE);
  return {
    engine: 'embedded',
    dataDir,
    env: { KURIR_DATA_DIR: dataDir },
    open: (clock = new AdvancingClock()) => openEmbedded({ file, clock, beside: true }),
    audit: async () => openAuditSource(file),
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
}
