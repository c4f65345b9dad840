/** A public page as data; the template escapes all its texts. */
export interface Page {
  status: number;
  heading: string;
  /** Paragraphs of plain and emphasised pieces. */
  paragraphs: readonly (readonly Piece[])[];
  /** The label of the only button, which posts to the page's own address. */
  button?: string;
  /** Who sent the mail that led here. */
  sender?: { name: string; address: string };
}

/** Plain text, or emphasised text: names and addresses from untrusted sources. */
export type Piece = string | { strong: string };
