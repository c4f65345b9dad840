import { journeyReason } from './journey-reasons';
import type { Journey } from '../../domain/journeys/journey';
import { looseJourney } from '../../schemas/journeys/loose-journey';
import { faultsText, journeyFile, readDefinition } from './journey-file';
import { discardDraft, keepDraft, readDraft } from './keep-draft';
import { printable } from '../../lib/printable';
import {
  FileContent,
  jsonTime,
  journey,
  operation,
  OperationError,
  option,
  type Session,
  whole,
  workspace,
} from '../definition';

const MAX = 1_000_000_000;

/** The draft of a journey with all that is wrong with it; null when there is none. */
export async function showDraft(session: Session, of: Journey) {
  const draft = await readDraft(session, of);
  if (!draft) return null;
  const { text, changedAt, changedBy, base } = draft.body;
  const read = await readDefinition(session, of.workspaceId, new FileContent('draft', text));
  return {
    revision: draft.version,
    changed_at: jsonTime(changedAt),
    changed_by: changedBy,
    from_version: base,
    errors: read.ok ? [] : read.errors,
    text,
    definition: looseJourney(text),
  };
}

const changedMeanwhile = (): OperationError =>
  new OperationError(journeyReason('changed'), 'Reload it and apply your change again.');

const revisionOption = option(
  '<number>',
  'only if the draft still has this revision; 0: only if there is no draft',
  whole(0, MAX),
);

/** `kurir journey draft`. */
export const draft = operation('journey.draft', 'editor', {
  summary: 'save a file as the draft of the next version, even with errors; the journey does not change',
  arguments: { workspace, journey, file: journeyFile },
  options: { revision: revisionOption },
  examples: [
    [
      'journey draft "Toko Melati" Sambutan sambutan.yaml',
      'kurir journey show --json shows the draft; journey edit publishes it',
    ],
  ],
  handler: async ({ journey: of, file, revision }, session) => {
    const kept = await keepDraft(session, of, { text: file.text, revision, by: session.actor });
    if (kept === null) throw changedMeanwhile();
    const read = await readDefinition(session, of.workspaceId, file);
    return { id: of.id, name: of.name, revision: kept, errors: read.ok ? [] : read.errors, path: file.name };
  },
  json: ({ path: _path, ...said }) => said,
  text: ({ name, errors, path }) => `Draft of ${printable(name)} saved.\n${faultsText({ ok: false, path, errors })}`,
});

/** `kurir journey discard`. */
export const discard = operation('journey.discard', 'editor', {
  // A revision is named by whoever has just made a version of it: nothing is lost then.
  irreversible: ({ revision }) => revision === undefined,
  summary: 'discard the draft of the next version of a journey',
  arguments: { workspace, journey },
  options: { revision: option('<number>', 'only if the draft still has this revision', whole(1, MAX)) },
  examples: [['journey discard "Toko Melati" Sambutan', 'the journey does not change']],
  handler: async ({ journey: of, revision }, session) => {
    const discarded = await discardDraft(session, of, revision);
    if (discarded === null) throw changedMeanwhile();
    return { id: of.id, name: of.name, discarded };
  },
  text: ({ name, discarded }) =>
    discarded ? `Draft of ${printable(name)} discarded.\n` : `${printable(name)} has no draft.\n`,
});
