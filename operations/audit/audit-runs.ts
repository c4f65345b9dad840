import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { SECOND } from '../../lib/clock';
import { explain } from '../../lib/explain';
import type { Services } from '../services';
import { runAudit } from './run-audit';
import { DifferenceGroups } from './difference-groups';
import { changeAudit, type KeptAudit, type Verdict } from './kept-audit';
import { openAudit } from './open-audit';

/** A run that says nothing for this long has ended with its process, ms. */
const SILENCE = 60 * SECOND;
const BEAT = 10 * SECOND;

/** Starts audits of a running service, each in a process of its own, and keeps their verdict. */
export interface AuditRuns {
  /** Null: one runs already. Resolves once it has begun. */
  start(by: string): Promise<KeptAudit | null>;
}

type Deps = Pick<Services, 'config' | 'clock' | 'engine' | 'tools' | 'programs'>;

/** The audits of a service. */
export const auditRuns = (deps: Deps): AuditRuns => ({
  start: async (by) => {
    const { clock } = deps;
    const run = { by, startedAt: clock.now(), until: clock.now() + SILENCE };
    const begun = await changeAudit(deps.engine.stores.settings, (held) =>
      held.run !== null && held.run.until > run.startedAt ? null : { ...held, run },
    );
    if (begun) void toItsEnd(deps, by, run.startedAt);
    return begun;
  },
});

/** Never rejects: whatever happens is kept for those who ask. */
async function toItsEnd(deps: Deps, by: string, startedAt: number): Promise<void> {
  const { clock, engine, programs } = deps;
  const { settings } = engine.stores;
  const isOurs = ({ run }: KeptAudit): boolean => run?.startedAt === startedAt && run.by === by;
  const beat = setInterval(() => {
    const until = clock.now() + SILENCE;
    changeAudit(settings, (held) => (isOurs(held) && held.run ? { ...held, run: { ...held.run, until } } : null)).catch(
      () => undefined,
    );
  }, BEAT).unref();
  const ended = await (programs === null ? auditHere(deps) : auditBeside(programs)).then(
    (last) => ({ last: { ...last, by, at: clock.now() }, failure: null }),
    (error: unknown) => ({ failure: { by, at: clock.now(), reason: explain(error) } }),
  );
  clearInterval(beat);
  await changeAudit(settings, (held) => (isOurs(held) ? { ...held, run: null, ...ended } : null)).catch(
    () => undefined,
  );
}

/** The verdict is printed in a few lines; what is longer is none. */
const MAX_OUTPUT = 1024 ** 2;

/** By the command line in another process: it takes minutes of a processor, and mail is sent meanwhile. */
function auditBeside(programs: string): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const command = [join(programs, 'kurir.js'), 'audit', '--summary', '--json'];
    const child = execFile(process.execPath, command, { maxBuffer: MAX_OUTPUT }, (error, out, said) => {
      process.off('exit', end);
      try {
        const { differences, groups, checked, ms } = JSON.parse(out) as Verdict;
        resolve({ differences, groups, checked, ms });
      } catch {
        reject(new Error(said.trim().slice(0, 1_000) || (error?.message ?? 'the audit printed no verdict')));
      }
    });
    const end = (): void => void child.kill();
    process.on('exit', end);
  });
}

/** In this process: of programs that were not built, as in tests. */
async function auditHere({ config, tools }: Deps): Promise<Verdict> {
  const audit = await openAudit(config, tools);
  const groups = new DifferenceGroups(0);
  try {
    const { checked, differences, ms } = await runAudit(audit.source, {
      onDifference: (difference) => groups.add(difference),
      ...(audit.sandbox && { sandbox: audit.sandbox }),
    });
    return { checked, differences, ms, groups: groups.counts() };
  } finally {
    await audit.close();
  }
}
