import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY } from '../../../lib/clock';
import type { Sender } from '../seed';
import type { CommandLine } from '../stage/command-line';

type Facts = Sender['journeys'][number];

const STEPS: Facts['steps'] = [
  { type: 'email', wait: 0 },
  { type: 'wait', wait: DAY },
  { type: 'webhook', wait: 0 },
  { type: 'wait', wait: 3 * DAY },
  // Who opened its mail has left.
  { type: 'branch', wait: 0 },
  { type: 'email', wait: 0 },
  { type: 'add_to_audience', wait: 0 },
];

/** Creates the journey by the command line and activates it, beside the service. */
export async function defineJourney(
  kurir: CommandLine,
  { workspaceId, domainId }: Sender,
  { folder, hook }: { folder: string; hook: string },
): Promise<Facts> {
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
  - type: branch
    if: { opened: 1 }
    else:
      - { type: email, domain: ${domainId}, subject: Apa kabar, html: <p>Sampai jumpa.</p> }
  - { type: add_to_audience, audience: Selesai }
`,
  );
  const workspace = String(workspaceId);
  const { id } = await kurir.run('journey', 'create', workspace, file);
  await kurir.run('journey', 'activate', workspace, String(id));
  return { journey: Number(id), audience: null, goal: true, steps: STEPS };
}
