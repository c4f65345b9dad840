import { describeProcess, isOlder, type LeasedProcess } from '../processes/older-processes';
import type { Config } from '../config/config';
import { dataFile, NAMES, SCHEMA_VERSION } from '../../stores/shared/data-file';
import { findDataFile } from './data-file';
import { findRunning } from './running-file';
import { readSchemaVersion } from '../backup/sqlite-snapshot';
import { VERSION } from '../../lib/version';
import type { EngineTools } from './engine-tools';
import type { UpgradeFacts } from './upgrade-facts';

export interface UpgradeCheck extends UpgradeFacts {
  release: string;
  /** True when the service of this release may be started now. */
  ok: boolean;
  /** True when that changes the schema of the data. */
  step: boolean;
  /** One sentence or two: what is so, and what to do. */
  verdict: string;
  /** The processes that must end first. */
  blocking: LeasedProcess[];
}

/**
 * Whether the service of this release may be started on the configured data now. Changes nothing. Rejects with
 * UnreleasedSchemaError.
 */
export async function checkUpgrade(config: Config, tools: EngineTools): Promise<UpgradeCheck> {
  const facts = config.cluster ? await (await tools.cluster(config.cluster)).upgradeFacts() : embeddedFacts(config);
  return { ...facts, release: VERSION, ...judge(facts, config.engine) };
}

function embeddedFacts({ dataDir }: Config): UpgradeFacts {
  const file = findDataFile(dataDir);
  const data = file === null ? 0 : readSchemaVersion(dataFile(file), NAMES);
  const found = findRunning(dataDir);
  const release = found === null || found === 'unknown' ? null : found.version;
  const name = `the service on ${dataDir}${release === null ? '' : `, process ${(found as { pid: number }).pid}`}`;
  // Only its own program opens a file for writing, so what runs has the schema of the file.
  const running = { lease: 'embedded', expiresAt: Infinity, name, release, schema: data };
  return { data, writers: data, program: SCHEMA_VERSION, processes: found === null ? [] : [running] };
}

type Judgement = Pick<UpgradeCheck, 'ok' | 'step' | 'verdict' | 'blocking'>;

/** Decides what the facts mean. */
export function judge({ data, writers, program, processes }: UpgradeFacts, engine: Config['engine']): Judgement {
  const no = { ok: false, step: false, blocking: [] };
  if (writers > program) {
    return {
      ...no,
      verdict: `The data belongs to a newer release (schema ${writers}, this release supports ${program}). Use the newer release, or restore an older backup.`,
    };
  }
  if (data === program || data === 0) {
    const what = data === 0 ? 'There is no data yet' : `The schema stays ${program}`;
    const beside =
      engine === 'cluster'
        ? 'start processes of this release next to the running ones, one after the other'
        : 'stop the service, then start this release';
    return { ok: true, step: false, blocking: [], verdict: `${what}: ${beside}.` };
  }
  const blocking = processes.filter((process) => isOlder(process, program));
  const change = `This release upgrades the schema from ${data} to ${program}`;
  return blocking.length === 0
    ? {
        ok: true,
        step: true,
        blocking,
        verdict: `${change}, and no older process is running: make a backup, then start this release.`,
      }
    : {
        ok: false,
        step: true,
        blocking,
        verdict: `${change}. Stop these processes first: ${blocking.map(describeProcess).join('; ')}.`,
      };
}
