import type { Language } from '../../domain/settings/language';

/** A public page as data; the template escapes all its texts. */
export interface Page {
  status: number;
  heading: string;
  /** Paragraphs of plain and emphasised pieces. */
  paragraphs: readonly (readonly Piece[])[];
  /** The label of the only button, which posts to the page's own address. */
  button?: string;
  form?: PageForm;
  /** Where to go on, below the text. */
  links?: readonly PageLink[];
  /** Who sent the mail that led here, or whose form it is. */
  sender?: { name: string; address: string };
  /** Default: Indonesian. */
  language?: Language;
}

/** A link within this host. */
export interface PageLink {
  path: string;
  label: string;
}

/** Plain text, or emphasised text: names and addresses from untrusted sources. */
export type Piece = string | { strong: string };

/** A field of a form; `error` is null when what was given is right. */
export interface PageField {
  value: string;
  label: string;
  error: string | null;
}

/** A subscribe form, which posts to the page's own address. */
export interface PageForm {
  email: PageField;
  name: PageField & { hint: string };
  consent: PageField & { checked: boolean };
  /** A hidden field; empty: none. */
  redirect: string;
  /** Host names that the answer may lead on to. */
  redirectHosts: readonly string[];
  trap: { name: string; label: string };
  button: string;
  /** What is wrong with the form in all; null: nothing. */
  alert: { title: string; texts: readonly string[] } | null;
}
