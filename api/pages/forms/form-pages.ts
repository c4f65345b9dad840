import type { Audience } from '../../../domain/contacts/audience';
import type { Language } from '../../../domain/settings/language';
import type { Workspace } from '../../../domain/settings/workspace';
import type { Page, PageForm, Piece } from '../page';
import { RECIPIENT_TEXTS } from '../../../domain/recipient-texts';
import type { FormField, FormTexts } from '../../../domain/recipient-texts/texts';

/** The field that only programs fill in. */
export const TRAP = 'website';

/** What was filled in, as it came, trimmed. */
export interface FilledForm {
  email: string;
  name: string;
  consent: boolean;
  redirect: string;
}

/** Whose form it is. */
export interface FormOwner {
  audience: Pick<Audience, 'name' | 'optInMode' | 'redirectHosts'>;
  workspace: Pick<Workspace, 'name' | 'businessName' | 'businessAddress' | 'language'>;
}

/** Whose subscription is confirmed. `address` is masked. */
export interface Subscriber extends FormOwner {
  address: string;
}

const EMPTY: FilledForm = { email: '', name: '', consent: false, redirect: '' };

const senderOf = ({ workspace }: FormOwner) => ({
  name: workspace.businessName || workspace.name,
  address: workspace.businessAddress,
});

/** The pages of public forms and confirmations in one language. */
export class FormPages {
  private readonly texts: FormTexts;

  constructor(private readonly language: Language) {
    this.texts = RECIPIENT_TEXTS[language].forms;
  }

  /** The form: empty, or once more with what was given and what is wrong with it. */
  form(owner: FormOwner, given = EMPTY, wrong: readonly FormField[] = []): Page {
    const { texts } = this;
    const sender = senderOf(owner);
    const [before, name] = texts.intro(sender.name);
    const page = this.page(wrong.length > 0 ? 422 : 200, texts.subscribeTo(owner.audience.name), [
      before,
      { strong: name },
      '.',
    ]);
    return { ...page, sender, form: this.fields(owner, given, wrong) };
  }

  private fields({ audience, workspace }: FormOwner, given: FilledForm, wrong: readonly FormField[]): PageForm {
    const { labels, errors, consent } = this.texts;
    const errorOf = (field: FormField): string | null => (wrong.includes(field) ? errors[field] : null);
    const redirect = errorOf('redirect');
    return {
      email: { value: given.email, label: labels.email, error: errorOf('email') },
      name: { value: given.name, label: labels.name, hint: labels.optional, error: errorOf('name') },
      consent: {
        value: 'true',
        checked: given.consent,
        label: consent(workspace.businessName || workspace.name),
        error: errorOf('consent'),
      },
      redirect: redirect === null ? given.redirect : '',
      redirectHosts: audience.redirectHosts,
      trap: { name: TRAP, label: labels.trap },
      button: labels.button,
      alert: wrong.length > 0 ? { title: errors.title, texts: redirect === null ? [] : [redirect] } : null,
    };
  }

  /** The answer to a form, the same whether the address was known or not. */
  thanks(owner: FormOwner): Page {
    const { thanks } = this.texts;
    const double = owner.audience.optInMode === 'double';
    const texts: Piece[][] = double ? [[thanks.double], [thanks.spam]] : [[thanks.single]];
    return { ...this.page(200, thanks.heading, ...texts), sender: senderOf(owner) };
  }

  /** Asks first: a GET confirms nothing. */
  askToConfirm(subscriber: Subscriber): Page {
    const { heading, ask, button } = this.texts.confirm;
    return { ...this.page(200, heading, pieces(ask, subscriber)), button, sender: senderOf(subscriber) };
  }

  confirmed(subscriber: Subscriber): Page {
    const { heading, text } = this.texts.confirmed;
    return { ...this.page(200, heading, pieces(text, subscriber)), sender: senderOf(subscriber) };
  }

  confirmedBefore(subscriber: Subscriber): Page {
    return { ...this.confirmed(subscriber), heading: this.texts.before.heading };
  }

  get expired(): Page {
    return this.plain(410, 'expired');
  }

  get formNotFound(): Page {
    return this.plain(404, 'notFound');
  }

  get linkNotFound(): Page {
    return this.plain(404, 'notConfirmable');
  }

  get tooMany(): Page {
    return this.plain(429, 'tooMany');
  }

  get tooManyToday(): Page {
    return this.plain(429, 'tooManyToday');
  }

  get methodNotAllowed(): Page {
    return this.plain(405, 'methodNotAllowed');
  }

  /** 400, 413 or 415. */
  unreadable(status: number): Page {
    return this.plain(status, 'unreadable');
  }

  private plain(
    status: number,
    which: 'expired' | 'notFound' | 'notConfirmable' | 'tooMany' | 'tooManyToday' | 'unreadable' | 'methodNotAllowed',
  ): Page {
    const { heading, text } = this.texts[which];
    return this.page(status, heading, [text]);
  }

  private page(status: number, heading: string, ...paragraphs: Page['paragraphs']): Page {
    return { status, heading, paragraphs, language: this.language };
  }
}

const pieces = (
  [start, middle, end]: readonly [string, string, string],
  { audience, address }: Subscriber,
): Piece[] => [start, { strong: audience.name }, middle, { strong: address }, end];
