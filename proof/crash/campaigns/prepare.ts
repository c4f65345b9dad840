import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keyring } from '../../../domain/keyring';
import type { CampaignRef } from '../../../stores/ports/campaign-runs';
import type { Installation } from '../installation';
import { SECRET, type Sender } from '../seed';
import type { CommandLine } from './command-line';
import { person, writeAudience, writeKnown } from './people';

export interface PreparedCampaign {
  campaign: CampaignRef;
  /** What the imports answered that they should not have. */
  faults: string[];
  refused: number;
  /** Contacts a second of the import that was not killed, 0 when all were there before. */
  importRate: number;
}

const AUDIENCE = 'Pelanggan';
const HTML = '<p>Halo {{nama|Kak}}, <a href="https://toko.test/promo">lihat promo</a> di {{link_browser}}</p>';
/** The first import is killed after it, ms. */
const IMPORT_KILL = 1_500;

/** Suppresses those that are to be, before the service starts. */
export async function suppress(installation: Installation, { workspaceId }: Sender, contacts: number): Promise<void> {
  const engine = await installation.open();
  const keyring = new Keyring(SECRET);
  const createdAt = Date.now();
  for (let n = 0; n < contacts; n += 1) {
    const { email, skipped } = person(n);
    if (skipped !== 'suppressed') continue;
    const addressHash = keyring.hashAddress(email);
    await engine.stores.suppressions.add({ workspaceId, addressHash, reason: 'manual', messageId: null, createdAt });
  }
  await engine.close();
}

/** Imports the contacts and makes a campaign to them, all by the command line. The service runs meanwhile. */
export async function prepareCampaign(
  kurir: CommandLine,
  { workspaceId, domainId }: Sender,
  { contacts, folder }: { contacts: number; folder: string },
): Promise<PreparedCampaign> {
  const [known, audience, html] = ['known.csv', 'audience.csv', 'promo.html'].map((name) => join(folder, name));
  const workspace = String(workspaceId);
  const countKnown = await writeKnown(known!, contacts);
  const refusedLines = await writeAudience(audience!, contacts);
  writeFileSync(html!, HTML);
  await kurir.run('audience', 'create', workspace, AUDIENCE);
  const first = await kurir.run('contact', 'import', workspace, known!, '--consent');
  const words = ['audience', 'import', workspace, AUDIENCE, audience!, '--consent'];
  await kurir.killed(IMPORT_KILL, ...words);
  const began = performance.now();
  const second = await kurir.run(...words);
  const seconds = (performance.now() - began) / 1_000;
  const { id } = await kurir.run(
    ...['campaign', 'create', workspace, '--subject', 'Promo untuk {{nama|Kak}}', '--html', html!],
    ...['--audience', AUDIENCE, '--domain', String(domainId), '--preheader', 'Hanya hari ini'],
  );
  return {
    campaign: { workspaceId, id: Number(id) },
    faults: [
      ...wrongImport(first, { lines: countKnown, created: countKnown, existing: 0, refused: 0 }, []),
      ...wrongImport(second, { lines: contacts + refusedLines.length, refused: refusedLines.length }, refusedLines),
      ...(Number(second.created) + Number(second.existing) === contacts ? [] : ['an import does not add up']),
      ...(Number(second.existing) >= countKnown ? [] : ['an import made contacts again that there were']),
    ],
    refused: refusedLines.length,
    importRate: contacts / seconds,
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
