import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JourneyStep } from '../../../domain/journeys/journey';
import { DAY } from '../../../lib/clock';
import type { JourneyRef } from '../../../stores/ports/journey-runs';
import type { CommandLine } from '../campaigns/command-line';
import type { Sender } from '../seed';

export const AUDIENCE = 'Selesai';
/** The steps of the journey, in order. */
export const STEPS: readonly JourneyStep['kind'][] = ['email', 'wait', 'webhook', 'wait', 'email', 'add_to_audience'];
/** How long the waits take, by the number of the step, ms. */
export const WAITS: Readonly<Record<number, number>> = { 2: DAY, 4: 3 * DAY };

/** Creates the audience and the journey by the command line, and activates it. The service runs meanwhile. */
export async function defineJourney(
  kurir: CommandLine,
  { workspaceId, domainId }: Sender,
  { folder, hook }: { folder: string; hook: string },
): Promise<JourneyRef> {
  const file = join(folder, 'journey.yaml');
  writeFileSync(
    file,
    `name: Pelanggan baru
trigger: api
goal: { event: click, ends: true }
steps:
  - type: email
    domain: ${domainId}
    subject: Selamat datang, {{nama|Kak}}
    html: '<p>Halo {{nama|Kak}}, <a href="https://toko.test/mulai">mulai di sini</a>.</p>'
  - { type: wait, for: 1d }
  - { type: webhook, url: '${hook}' }
  - { type: wait, for: 3d }
  - { type: email, domain: ${domainId}, subject: Apa kabar, html: <p>Sampai jumpa.</p> }
  - { type: add_to_audience, audience: ${AUDIENCE} }
`,
  );
  const workspace = String(workspaceId);
  await kurir.run('audience', 'create', workspace, AUDIENCE);
  const { id } = await kurir.run('journey', 'create', workspace, file);
  await kurir.run('journey', 'activate', workspace, String(id));
  return { workspaceId, id: Number(id) };
}
