import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openReceivedMails, type ReceivedMails } from '../../sandbox/received-mails';
import type { AuditSource } from '../../stores/ports/audit-source';
import type { Config } from '../config/config';
import { SANDBOX, sandboxDir } from '../installation/data-dir';
import { StartError } from '../../lib/start-error';
import type { EngineTools } from '../installation/engine-tools';
import { findDataFile } from '../installation/data-file';

type Tools = Pick<EngineTools, 'auditSource'>;

/** The sandbox's file as the audit finds it. */
export interface SandboxFile {
  path: string;
  /** The installation it names; null: an older version wrote it. */
  installationId: string | null;
  /** It was made or emptied then, ms; null: it has every mail since the beginning. */
  since: number | null;
  /** False: it is another installation's and was left out. */
  compared: boolean;
}

/** What an audit reads: the data of the engine, and the sandbox's mails if the sandbox is the sending server. */
export interface OpenAudit {
  source: AuditSource;
  sandbox: ReceivedMails | null;
  /** Null without a sandbox. */
  sandboxFile: SandboxFile | null;
  close(): Promise<void>;
}

/**
 * Opens the data read-only, with or without a running service. The sandbox's file of another installation is named and
 * left out. Throws StartError when there is no data, and the errors of the stores.
 */
export async function openAudit(config: Config, tools: Tools): Promise<OpenAudit> {
  const source = await openSource(config, tools);
  try {
    const opened = openSandbox(config, (await source.snapshot((rows) => rows.settings())).installationId);
    return {
      source,
      sandbox: opened?.mails ?? null,
      sandboxFile: opened?.file ?? null,
      close: async () => {
        await source.close();
        opened?.mails?.close();
      },
    };
  } catch (error) {
    await source.close();
    throw error;
  }
}

async function openSource({ cluster, dataDir }: Config, tools: Tools): Promise<AuditSource> {
  if (cluster) return tools.auditSource({ cluster });
  const file = findDataFile(dataDir);
  if (file === null) {
    throw new StartError(`No data in ${dataDir} (KURIR_DATA_DIR). Start the service once, or set KURIR_DATA_DIR.`);
  }
  return tools.auditSource({ file });
}

function openSandbox(
  config: Config,
  installationId: string | null,
): { file: SandboxFile; mails: ReceivedMails | null } | null {
  const path = join(sandboxDir(config), SANDBOX);
  if (config.mtaUrl !== null || !existsSync(path)) return null;
  const mails = openReceivedMails(path);
  const owned = mails.ownership();
  const compared = owned.installationId === null || owned.installationId === installationId;
  if (!compared) mails.close();
  return { file: { path, ...owned, compared }, mails: compared ? mails : null };
}
