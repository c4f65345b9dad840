import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AdvancingClock } from '../../lib/advancing-clock';
import { DATABASE } from '../../operations/installation/data-dir';
import { openAuditSource } from '../../stores/embedded/audit/audit-source';
import { openEmbedded } from '../../stores/embedded/open';
import type { AuditSource } from '../../stores/ports/audit-source';
import type { Engine } from '../../stores/ports/engine';

/** One installation under test: the settings that lead its processes to the data, and direct access to that data. */
export interface Installation {
  readonly engine: 'embedded' | 'cluster';
  /** Settings of every process, except ports and sending server. */
  readonly env: Readonly<Record<string, string>>;
  /** Opens the data, also while processes use it; creates it when missing. */
  open(clock?: AdvancingClock): Promise<Engine>;
  /** Opens the data as `kurir audit` does. */
  audit(): Promise<AuditSource>;
  /** Deletes the data. */
  remove(): Promise<void>;
}

/** Does the work with the data open, also while processes use it. */
export async function withData<T>(
  installation: Pick<Installation, 'open'>,
  work: (engine: Engine) => T | Promise<T>,
  clock = new AdvancingClock(),
): Promise<T> {
  const engine = await installation.open(clock);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/** An installation on the embedded engine, in its own data dir. */
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
