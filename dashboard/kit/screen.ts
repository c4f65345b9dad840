import type { Readable } from 'node:stream';
import type { Access } from '../../domain/people/access';
import type { Role } from '../../domain/people/role';
import type { Workspace } from '../../domain/settings/workspace';
import type { Services } from '../../operations/services';
import type { Session } from '../../operations/people/sessions';
import type { User } from '../../operations/people/people';
import type { Done, Performer } from '../../operations/perform';
import type { Input, Operation } from '../../operations/definition';
import type { Language, Texts } from '../texts/texts';
import type { Html } from './html';

/** What a screen answers. */
export type Answer =
  /** `script`: an asset that this page loads beside those of every page. */
  | { kind: 'page'; title: string; main: Html; status?: number; script?: string }
  /** A part of a page, in place of the one that asked (htmx). */
  | { kind: 'part'; main: Html; status?: number }
  /** To another screen, with a notice that it shows once. `session`: the token of one in place of that of the visit. */
  | { kind: 'redirect'; to: string; notice?: string; session?: string }
  /** A file, or a document for a frame with a policy of its own. */
  | { kind: 'file'; type: string; body: string | Buffer | Readable; name?: string; policy?: string };

/** An input without a field that the operation has not, wherever it was put together. */
type Exactly<G, I> = G & { [K in Exclude<keyof G, keyof I>]: never };

/** A part of an input; null for what was not filled in. */
type Some<I> = { readonly [K in keyof I]?: I[K] | null | undefined };

/** A request of somebody who is signed in. */
export interface Visit {
  /** The parts of the path that the screen names. */
  params: Readonly<Record<string, string>>;
  /** What the path names as `:id`; empty for none. */
  id: string;
  /** Single values; of a repeated one the last. */
  query: Readonly<Record<string, string>>;
  /** The fields of a form that was sent; empty for GET. */
  form: FormFields;
  user: User;
  session: Session;
  access: Access;
  /** The workspace that the address names; null for screens of the installation and of the person. */
  workspace: Workspace | null;
  /** Where the screens of the workspace lie: `/app/w/3`. */
  base: string;
  language: Language;
  t: Texts;
  /** The hidden field that each form needs. */
  csrf: Html;
  /** True if the answer replaces a part of a page. */
  isPart: boolean;
  services: Services;
  /** Does an operation in the name of the person. Throws what is neither done nor refused. */
  perform<I extends Input, J extends object, G extends I>(
    operation: Operation<I, J>,
    input: Exactly<G, I>,
    progress?: Performer['progress'],
  ): Promise<Done<J>>;
  /** The same with the fields that the form sent; `more` is what else it takes, or takes in place of them. */
  submit<I extends Input, J extends object, G extends Some<I>>(
    operation: Operation<I, J>,
    more: Exactly<G, I>,
  ): Promise<Done<J>>;
  /** Performs it for a screen: what it answers. Ends the request with a page when it is refused. */
  read<I extends Input, J extends object, G extends I>(operation: Operation<I, J>, input: Exactly<G, I>): Promise<J>;
  /** Writes a line to the trail, for what several operations do together. */
  note(action: string, target: string): Promise<void>;
}

/** A file that was sent with a form. */
export interface Upload {
  name: string;
  bytes: Buffer;
}

/** The fields of a form: the texts that were sent under each name, and the files. */
export type FormFields = ReadonlyMap<string, readonly string[]> & { readonly files?: ReadonlyMap<string, Upload> };

/** The one text of a field; empty when it was not sent. */
export const fieldOf = (form: FormFields, name: string): string => form.get(name)?.at(-1) ?? '';

/** A screen or what one of its forms does. */
export interface Screen {
  method: 'GET' | 'POST';
  /** Below `/app/w/<workspace>` or, with `of: 'installation'` or `'person'`, below `/app`: `/messages/:id`. */
  path: string;
  of: 'workspace' | 'installation' | 'person';
  /** The least that may see it; operations check again what is done. For `person` anybody who is signed in. */
  role: Role;
  handle(visit: Visit): Promise<Answer>;
  /** What the question before it says beside the question: how many it concerns, and what it costs. */
  facts?(visit: Visit): Promise<Html>;
}

/** A screen of a workspace. */
export const screen = (path: string, role: Role, handle: Screen['handle']): Screen => ({
  method: 'GET',
  path,
  of: 'workspace',
  role,
  handle,
});

/** What a form of a workspace's screen does. */
export const action = (path: string, role: Role, handle: Screen['handle']): Screen => ({
  method: 'POST',
  path,
  of: 'workspace',
  role,
  handle,
});

/** The same for whoever is signed in. */
export const ofPerson = (one: Screen): Screen => ({ ...one, of: 'person' });

/** The same for operators of the installation. */
export const ofInstallation = (one: Screen): Screen => ({ ...one, of: 'installation', role: 'operator' });

/** The answer with a page. */
export const page = (title: string, main: Html, status = 200): Answer => ({ kind: 'page', title, main, status });
/** The answer that leads on, with a notice that is shown once. */
export const redirect = (to: string, notice?: string): Answer => ({ kind: 'redirect', to, ...(notice && { notice }) });
