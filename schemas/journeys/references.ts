import type { Reason } from '../../lib/reason';
import type { MayBePrivate } from '../../domain/webhooks/webhook-url';
import { lineOf, type Read } from './field-reader';

/** What a file of a journey may name: by id, or by name. */
export interface Named {
  id: number;
  name: string;
}

/** The workspace that a journey is for. */
export interface JourneyFileContext {
  domains: readonly Named[];
  audiences: readonly Named[];
  /** The URLs of webhook steps that may be private; default: none. */
  mayBePrivate?: MayBePrivate;
}

/** The id of what a field names: by id, by the exact name, or by the name in any case if only one matches. */
export const referenceTo =
  (all: readonly Named[], what: Reason): Read<number> =>
  (value, refuse) => {
    const text = lineOf(255)(value, refuse);
    if (text === null) return null;
    const found = matching(all, text);
    const [only] = found;
    if (!only) return refuse('reference.unknown', { what, text: JSON.stringify(text) });
    return found.length === 1 ? only.id : refuse('reference.several', { what, ids: found.map(({ id }) => id) });
  };

function matching(all: readonly Named[], text: string): readonly Named[] {
  const byId = all.filter(({ id }) => String(id) === text);
  if (byId.length > 0) return byId;
  const exact = all.filter(({ name }) => name === text);
  return exact.length > 0 ? exact : all.filter(({ name }) => name.toLowerCase() === text.toLowerCase());
}
