import { join } from 'node:path';
import type { CommandLine } from '../stage/command-line';
import type { Scene } from '../stage/play';
import { writeAudience, writeKnown, type Person } from './people';

export interface Imported {
  /** What the imports answered that they should not have. */
  faults: string[];
  refusedLines: number;
  /** Contacts a second of the import that was not killed. */
  importRate: number;
}

/** The first import is killed after it, ms. */
const IMPORT_KILL = 1_500;

/** Imports the contacts by the command line, beside the service, and puts those on the filter list that are to be. */
export async function importPeople(
  { stage, outside, senders }: Scene,
  kurir: CommandLine,
  people: readonly Person[],
): Promise<Imported> {
  const { workspaceId, list } = senders[0]!;
  const { recorder } = outside;
  const [known, audience] = [join(stage.folder, 'known.csv'), join(stage.folder, 'audience.csv')];
  const workspace = String(workspaceId);
  const blocked = people.filter(({ skipped }) => skipped !== null);
  const blocks = blocked.map(({ to }) => recorder.begin('operator', 'block', { workspace: workspaceId, to }));
  const emails = blocked.flatMap(({ to, skipped }) => (skipped === 'suppressed' ? [to] : []));
  await outside.told('suppress.add', { workspace, emails });
  const countKnown = writeKnown(known, people);
  const refused = writeAudience(audience, people);
  const first = await kurir.run('contact', 'import', workspace, known, '--consent');
  for (const act of blocks) act.ok({ status: 200 });
  const value = { workspace: workspaceId, audience: list, double: false };
  const joins = people.map(({ to }) => recorder.begin('operator', 'join', { ...value, to }));
  const words = ['audience', 'import', workspace, String(list), audience, '--consent'];
  await kurir.killed(IMPORT_KILL, ...words);
  const began = performance.now();
  const second = await kurir.run(...words);
  const seconds = (performance.now() - began) / 1_000;
  for (const act of joins) act.ok({ status: 200 });
  const isWhole = Number(second.created) + Number(second.existing) === people.length;
  return {
    faults: [
      ...wrongImport(first, { lines: countKnown, created: countKnown, existing: 0, refused: 0 }, []),
      ...wrongImport(second, { lines: people.length + refused.length, refused: refused.length }, refused),
      ...(isWhole && Number(second.existing) >= countKnown ? [] : ['the import does not add up']),
    ],
    refusedLines: refused.length,
    importRate: people.length / seconds,
  };
}

function wrongImport(
  { errors, ...counts }: Record<string, unknown>,
  expected: Record<string, number>,
  refused: readonly number[],
): string[] {
  const lines = (errors as { line: number }[]).map(({ line }) => line);
  const right = Object.entries(expected).every(([name, n]) => counts[name] === n) && lines.join() === refused.join();
  return right ? [] : [`an import answered ${JSON.stringify(counts)}, and should ${JSON.stringify(expected)}`];
}
