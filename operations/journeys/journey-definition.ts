import { countSteps } from '../../domain/journeys/journey-flow';
import { printable } from '../../lib/printable';
import { createJourney, editJourney, rotateJourneySecret } from './change-journey';
import { faultsText, journeyFile, readDefinition, type Faulty } from './journey-file';
import { presentShown, shownText, showJourney } from './journey-view';
import { journey, operation, unknownJourney, workspace } from '../definition';
import { counted } from '../../lib/counted';

const FORM = `The file:

  name: Sambutan
  trigger: api            # or audience_join, form_subscribe
  audience: Pelanggan     # with audience_join; with form_subscribe: that form only
  goal: {event: click, ends: true}    # or conversion, open
  steps:
    - {type: email, domain: melati.example, subject: Halo, html: <p>Halo</p>}
    - {type: wait, for: 3d}
    - {type: webhook, url: "https://toko.example/hook"}
    - {type: add_to_audience, audience: Lama}
    - {type: branch, if: {opened: 1}, then: [], else: []}   # or {clicked: 1}, goal

docs/journeys.md explains it.`;

const presentFaults = ({ errors }: Faulty) => ({ ok: false, errors });

/** `kurir journey validate`. */
export const validate = operation('journey.validate', 'editor', {
  summary: 'check a journey file; nothing is stored',
  arguments: { workspace, file: journeyFile },
  examples: [['journey validate "Toko Melati" sambutan.yaml', 'all errors, with their lines']],
  notes: FORM,
  handler: ({ workspace: { id }, file }, session) => readDefinition(session, id, file),
  code: ({ ok }) => (ok ? 0 : 1),
  json: (read) => {
    if (!read.ok) return { ok: false, errors: read.errors };
    const { name, triggerType, steps } = read.journey;
    return { ok: true, errors: [], name, trigger_type: triggerType, steps: countSteps(steps) };
  },
  text: (read) => {
    if (!read.ok) return faultsText(read);
    const count = countSteps(read.journey.steps);
    return `${printable(read.path)} is valid: ${printable(read.journey.name)}, ${counted(count, 'step')}.\n`;
  },
});

/** `kurir journey create`. */
export const create = operation('journey.create', 'editor', {
  summary: 'create a draft journey from a file; prints the secret that signs the requests of its webhook steps',
  arguments: { workspace, file: journeyFile },
  examples: [['journey create "Toko Melati" sambutan.yaml', 'kurir journey activate starts it']],
  notes: FORM,
  handler: async ({ workspace: { id: workspaceId }, file }, session) => {
    const read = await readDefinition(session, workspaceId, file);
    if (!read.ok) return read;
    const { journey: made, secret } = await createJourney(session, workspaceId, read.journey);
    return showJourney(session, made, { secret });
  },
  json: (made) => ('errors' in made ? presentFaults(made) : presentShown(made, { secret: made.secret })),
  code: (made) => ('errors' in made ? 1 : 0),
  text: (made, view) => ('errors' in made ? faultsText(made) : shownText(made, view)),
});

/** `kurir journey edit`. */
export const edit = operation('journey.edit', 'editor', {
  summary: 'publish a new version of a journey from a file; contacts in it finish on their version',
  arguments: { workspace, journey, file: journeyFile },
  examples: [['journey edit "Toko Melati" Sambutan sambutan.yaml', 'also while the journey is active']],
  notes: FORM,
  handler: async ({ journey: of, file }, session) => {
    const read = await readDefinition(session, of.workspaceId, file);
    if (!read.ok) return read;
    const edited = await editJourney(session, of, read.journey);
    if (!edited) throw unknownJourney(of.name);
    return showJourney(session, edited, {});
  },
  json: (edited) => ('errors' in edited ? presentFaults(edited) : presentShown(edited, {})),
  code: (edited) => ('errors' in edited ? 1 : 0),
  text: (edited, view) => ('errors' in edited ? faultsText(edited) : shownText(edited, view)),
});

/** `kurir journey rotate-secret`. */
export const rotateSecret = operation('journey.rotate-secret', 'editor', {
  irreversible: true,
  summary: 'replace the secret that signs the requests of webhook steps',
  arguments: { workspace, journey },
  examples: [['journey rotate-secret "Toko Melati" Sambutan', 'the old secret stops signing immediately']],
  handler: async ({ journey: of }, session) => {
    const secret = await rotateJourneySecret(session, of);
    if (secret === null) throw unknownJourney(of.name);
    return showJourney(session, of, { secret });
  },
  json: (shown) => presentShown(shown, { secret: shown.secret }),
  text: (shown, view) => shownText(shown, view),
});
