import type { Screen } from '../../dashboard/kit/screen';
import type { Thing, Things } from '../support/rich-workspace';

/** What the `:id` of a path is, by its beginning. */
const THING_OF: Readonly<Record<string, Thing>> = {
  messages: 'message',
  campaigns: 'campaign',
  journeys: 'journey',
  contacts: 'contact',
  templates: 'template',
  domains: 'domain',
  webhooks: 'webhook',
  audiences: 'audience',
  conversions: 'conversion',
  images: 'image',
  'settings/keys': 'key',
  'settings/smtp': 'login',
  'contacts/imports': 'import',
};
const NAMED: Readonly<Record<string, Thing>> = { contact: 'contact', delivery: 'delivery' };

/** What the path of a screen names: `id`, `contact`. */
export const partsOf = (path: string): string[] =>
  path
    .split('/')
    .filter((part) => part.startsWith(':'))
    .map((part) => part.slice(1));
/** Which thing a part of the path is. */
export function thingAt({ path }: Screen, part: string): Thing {
  const thing =
    NAMED[part] ??
    Object.entries(THING_OF)
      .filter(([start]) => path.startsWith(`/${start}/`))
      .sort(([a], [b]) => b.length - a.length)[0]?.[1];
  if (!thing) throw new Error(`${path}: what is :${part}?`);
  return thing;
}

/** The address of a screen of a workspace. */
export const pathOf = (workspace: string, { path }: Screen, ids: Readonly<Record<string, string>>): string =>
  `/app/w/${workspace}${path.replace(/:(\w+)/g, (_, part: string) => ids[part]!)}`;
/** What the path of the screen names, of these things. */
export const idsOf = (screen: Screen, of: Things): Record<string, string> =>
  Object.fromEntries(partsOf(screen.path).map((part) => [part, of[thingAt(screen, part)]]));
